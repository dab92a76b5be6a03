import type { MapLine } from '../../lib/plc/data/map'
import type { CopyAnswer, CopyKind, EditedMap } from '../../nodes/plc-handshake/map-editor'
import { awaited, isPassing, problemIn, request } from '../device-api'
import { inBackground, type Dialog, text } from '../dialog'
import { saveText } from '../prepare'
import { codesTable, mapTable } from './map-table'
import type { Translator } from '../texts'

/** Fields that decide about the map. */
export const deciding = [
  ...['connection', 'prefix', 'family', 'map', 'offset', 'order', 'codes', 'block', 'firstDevice'],
  ...['poseFormat', 'poseFormatCustom'],
] as const
/** Languages that the PLC of a connection does not have. */
const foreign: Partial<Record<string, string>> = { 's7-client': 'st', slmp: 'scl' }
const files = { page: 'html', csv: 'csv', scl: 'scl', st: 'st' } as const
/** Milliseconds without a change before the map is asked for. */
const pause = 300

/** Edits the register map of a handshake as a table above its JSON, and makes the PLC's side of it. */
export function plcMap(dialog: Dialog, told: Translator): void {
  const { node, form, input, value } = dialog
  const row = input('map').closest('.form-row')
  const problem = $('<div class="vision-hint" role="status">')
  let lines: MapLine[] = []
  let map: EditedMap | undefined
  const table = mapTable(told, (place, line) => edit(lines.map((each, at) => (at === place ? line : each))), {
    remove: (place) => edit(lines.filter((_, at) => at !== place)),
  })
  const tools = mapTools(told, {
    add: (line) => edit([...lines, line]),
    reset: () => edit([]),
    undo: store,
  })
  const buttons = (Object.keys(files) as (keyof typeof files)[]).map((kind) => {
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .text(told(kind))
      .on('click', () => inBackground(copy(kind)))
    // The programming tool of a PLC that is polled by its own protocol has one language.
    const show = () => button.toggle(foreign[value('connection')] !== kind)
    input('connection').on('change', show)
    show()
    return button
  })
  const codes = codesTable(told, (own) => {
    input('codes').typedInput('value', JSON.stringify(own))
    input('codes').trigger('change')
  })
  $('<div class="vision-plc-edit">').append(tools.element, problem, table.element).insertBefore(row)
  const codesRow = input('codes').closest('.form-row')
  $('<div class="vision-plc-edit">')
    .append($('<label>').text(told('codes.title')), codes.element)
    .insertBefore(codesRow)
  asJson('codes.json', codesRow)
  asJson('json', row).after(
    $('<div class="form-row vision-plc-copy">')
      .append($('<label>').text(told('label')), $('<div class="vision-control">').append(...buttons))
      .append($('<div class="vision-hint">').text(told('notRun'))),
  )

  /** The text itself, for copying and for what the table cannot show. */
  function asJson(title: string, of: JQuery): JQuery {
    return $('<details class="vision-plc-json">')
      .append($('<summary>').text(told(title)))
      .insertBefore(of)
      .append(of)
      .on('toggle', () => RED.tray.resize())
  }

  let turn = 0
  let timer = 0
  for (const field of deciding)
    input(field).on('input change', () => {
      turn++
      clearTimeout(timer)
      timer = window.setTimeout(() => inBackground(show()), pause)
    })
  form.on('vision-refresh', () => inBackground(show()))
  inBackground(show())

  /** Stores other lines; those of the handshake itself as an empty list. */
  function edit(next: MapLine[]): void {
    tools.before(value('map'))
    lines = next
    store(map && isFamily(next, map.family) ? '[]' : JSON.stringify(next))
  }

  function store(json: string): void {
    input('map').typedInput('value', json)
    input('map').trigger('change')
  }

  function ask(kind: CopyKind): Promise<CopyAnswer> {
    return request('POST', 'vision-devices/plc-copy', {
      kind,
      fields: Object.fromEntries(deciding.map((field) => [field, value(field)])),
    }) as Promise<CopyAnswer>
  }

  async function show(): Promise<void> {
    const mine = ++turn
    try {
      const answer = await awaited(dialog, ask('edit'), isPassing)
      ;({ map } = answer)
      if (mine !== turn || !map) return
      lines = map.lines.map(({ line }) => line)
      say(map.faults.join(' '))
      table.show(map)
      tools.show(map)
      codes.show(answer.codes)
    } catch (error) {
      if (mine !== turn) return
      const found = problemIn(error)
      // What may pass is said by the dialog, which asks again.
      say(found && !isPassing(found) ? found.message : '')
      table.show(undefined)
    }
    RED.tray.resize()
  }

  async function copy(kind: keyof typeof files): Promise<void> {
    try {
      const answer = await ask(kind)
      say('')
      saveText(answer.text ?? '', `${text(node['name']) || 'plc'}.${files[kind]}`)
    } catch (error) {
      say(problemIn(error)?.message ?? '')
    }
  }

  /** Says it once: a live region that is written again is read aloud again. */
  function say(sentence: string): void {
    if (problem.text() !== sentence) problem.text(sentence)
  }
}

/** Whether lines are those of the handshake, in any order, or none at all. */
const isFamily = (lines: readonly MapLine[], family: readonly MapLine[]): boolean =>
  lines.length === 0 ||
  (lines.length === family.length &&
    JSON.stringify(lines.map(canonical).sort()) === JSON.stringify(family.map(canonical).sort()))

const canonical = (line: MapLine): string =>
  JSON.stringify(Object.entries(line).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Names that are listed of the lines that differ. */
const mostNames = 8

interface MapActions {
  add: (line: MapLine) => void
  reset: () => void
  /** @param json the map as it was stored before */
  undo: (json: string) => void
}

/** The line above the table: what differs from the handshake, a line to add, all as the handshake has it, and undo. */
function mapTools(told: Translator, { add, reset, undo }: MapActions) {
  const before: string[] = []
  const differs = $('<div class="vision-hint" role="status">')
  const choice = $('<select>').attr('aria-label', told('add'))
  const button = (key: string, icon: string, pressed: () => void) =>
    $('<button type="button" class="red-ui-button red-ui-button-small">')
      .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`), ' ', $('<span>').text(told(key)))
      .on('click', pressed)
  const back = button('undo', 'undo', () => {
    const json = before.pop()
    if (json !== undefined) undo(json)
    back.prop('disabled', before.length === 0)
  }).prop('disabled', true)
  const all = button('resetAll', 'refresh', reset)
  let offers: MapLine[] = []
  choice.on('change', () => {
    const line = offers[Number(choice.val())]
    if (line) add(line)
  })
  const element = $('<div>').append($('<div class="vision-plc-tools">').append(choice, all, back), differs)
  return {
    element,
    /** Remembers the map as it was stored before a change. */
    before: (json: string) => {
      before.push(json)
      back.prop('disabled', false)
    },
    show: (map: EditedMap) => {
      const { missing, more, lines } = map
      offers = [...missing, ...more].map(({ line }) => line)
      const option = ({ name }: { name: string }, index: number) => $('<option>').val(index).text(name)
      choice.empty().append($('<option value="">').text(told('add')))
      if (missing.length)
        choice.append($('<optgroup>').attr('label', told('missing')).append(missing.map(option)))
      choice.append(
        $('<optgroup>')
          .attr('label', told('more'))
          .append(more.map((each, index) => option(each, index + missing.length))),
      )
      const names = [...lines.filter(({ isChanged }) => isChanged), ...missing].map(({ name }) => name)
      const shown = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ' …' : '')
      const sentence = names.length ? told('differs', { names: shown }) : told('asFamily')
      if (differs.text() !== sentence) differs.text(sentence)
      all.prop('disabled', names.length === 0)
    },
  }
}
