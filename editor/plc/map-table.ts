import type { MapLine } from '../../lib/plc/data/map'
import type { EditedCode, EditedLine, EditedMap } from '../../nodes/plc-handshake/map-editor'
import type { Translator } from '../texts'

/** The lines of a map, each with its controls, its bytes and its faults. */
export function mapTable(told: Translator, change: Change, { remove }: { remove: (place: number) => void }) {
  const head = $('<thead>')
  const body = $('<tbody>')
  const element = $('<table class="vision-plc-map">').append(head, body)
  /** Keys of the lines whose further settings are open. */
  const open = new Set<string>()
  const show = aroundFocus<EditedMap>(body, draw)
  return { element, show }

  function draw(map: EditedMap | undefined): void {
    element.toggle(map !== undefined)
    if (!map) {
      body.empty()
      return
    }
    const { by, offset } = map
    const address = by === 'name' ? told('columns.name') : told('columns.address')
    const titles = [
      told('columns.meaning'),
      offset > 0 && by === 'address' ? `${address} + ${String(offset)}` : address,
      told('columns.type'),
      told('columns.unit'),
      told('columns.bytes'),
      '',
    ]
    head.empty().append($('<tr>').append(titles.map((title) => $('<th scope="col">').text(title))))
    const rows = map.lines.flatMap((line, place) =>
      mapRow(told, { line, place, by }, { change, remove, open, redraw: () => show(map) }),
    )
    body.empty().append(rows)
  }
}

/** Codes by name that differ from the table, or are added to it. */
type OwnCodes = Record<string, unknown>

/**
 * The table of result codes: each with its meaning and its number, and a line for another error or return code.
 * @param store takes what differs from the table
 */
export function codesTable(told: Translator, store: (own: OwnCodes) => void) {
  const body = $('<tbody>')
  const titles = ['meaning', 'name', 'code', ''].map((column) => (column ? told(`codes.${column}`) : ''))
  const head = $('<thead>').append($('<tr>').append(titles.map((title) => $('<th scope="col">').text(title))))
  const element = $('<div>').append($('<table class="vision-plc-map">').append(head, body), adding())
  let own: OwnCodes = {}
  const show = aroundFocus<readonly EditedCode[]>(body, (codes) => {
    element.toggle(codes !== undefined)
    own = Object.fromEntries(
      (codes ?? []).flatMap((each) => (each.isChanged ? [[each.name, each.code]] : [])),
    )
    body.empty().append((codes ?? []).flatMap(row))
  })
  return { element, show }

  /** Stores the code of a line; without one, the line is as in the table again, or none. */
  function put(name: string, code: unknown): void {
    const others = Object.entries(own).filter(([each]) => each !== name)
    own = Object.fromEntries(code === undefined ? others : [...others, [name, code]])
    store(own)
  }

  function row({ name, meaning, code, original, isChanged, fault }: EditedCode): JQuery[] {
    const number = entry(`${meaning}: ${told('codes.code')}`, shown(code), `${name}:code`, (text) => {
      const given = numberIn(text)
      if (given === undefined) return told('codes.badCode')
      put(name, given === original ? undefined : given)
      return undefined
    })
    const button = (icon: string, text: string) =>
      rowButton(icon, `${meaning}: ${text}`, text, `${name}:back`, () => put(name, undefined))
    const cells = [
      $('<th scope="row">').append(
        $('<span>').text(meaning),
        isChanged ? $('<em>').text(told(original === undefined ? 'added' : 'changed')) : $(),
      ),
      $('<td>').append($('<code>').text(name)),
      $('<td>').append(number),
      $('<td class="vision-plc-row-buttons">').append(
        original === undefined
          ? button('trash-o', told('remove'))
          : isChanged
            ? button('undo', `${told('codes.reset')} ${String(original)}`)
            : $(),
      ),
    ]
    const main = $('<tr>').toggleClass('vision-plc-changed', isChanged).append(cells)
    const below = fault ? [$('<tr>').append($('<td colspan="4" class="vision-reason">').text(fault))] : []
    return [main, ...below]
  }

  function adding(): JQuery {
    const input = (key: string, placeholder: string) =>
      $('<input type="text">').attr({ 'aria-label': told(`codes.${key}`), placeholder })
    const [name, code] = [input('newName', '-8'), input('newCode', '300')]
    const wrong = $('<div class="vision-reason" role="status">')
    const add = () => {
      const given = numberIn(String(code.val()))
      const newName = String(name.val()).trim()
      const isNamed = /^(?:[A-Z][A-Z0-9_]{0,39}|-?\d{1,5})$/.test(newName)
      const reason = !isNamed ? told('codes.badName') : given === undefined ? told('codes.badCode') : ''
      wrong.text(reason)
      if (reason) return
      name.val('')
      code.val('')
      put(newName, given)
    }
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .append($('<i aria-hidden="true" class="fa fa-plus">'), ' ', $('<span>').text(told('codes.add')))
      .on('click', add)
    return $('<div>').append($('<div class="vision-plc-tools">').append(name, code, button), wrong)
  }
}

const shown = (code: unknown) => (typeof code === 'number' ? String(code) : JSON.stringify(code))

/** A whole number as a person types it; whether it can be used, the runtime says. */
const numberIn = (text: string): number | undefined =>
  /^\s*[-−]?\d{1,6}\s*$/.test(text) ? Number(text.trim().replace('−', '-')) : undefined

interface RowActions {
  change: Change
  remove: (place: number) => void
  /** Keys of the lines whose further settings are open. */
  open: Set<string>
  redraw: () => void
}

/** One line of the table, with its faults and its further settings below. */
function mapRow(told: Translator, row: EditedRow, actions: RowActions): JQuery[] {
  const { line, place, by } = row
  const { change, remove, open, redraw } = actions
  const { key, name, from, isChanged, original, types, units, sample, faults } = line
  const given = line.line
  const set = (changes: Partial<Record<keyof MapLine, unknown>>) => change(place, withChanges(given, changes))
  const label = (column: string) => `${name}: ${told(`columns.${column}`)}`
  const at = (field: string) => `${String(place)}:${field}`

  const where =
    by === 'name'
      ? entry(label('name'), given.name ?? '', at('name'), (text) => {
          set({ name: text.trim() })
          return undefined
        })
      : entry(label('address'), line.address ?? addressText(given), at('address'), (text) => {
          // What it means in the PLC is found out by the runtime.
          if (line.address !== undefined) {
            set({ address: text.trim(), area: undefined, bit: undefined })
            return ''
          }
          const found = addressIn(text, given.type === 'bit' && !isCoil(given))
          if (found) set(found)
          return found ? '' : told('badAddress')
        })
  const type = choice(label('type'), types, given.type, at('type'), (chosen) =>
    set(typeChanges(given, chosen)),
  )
  const unit = units.length
    ? choice(label('unit'), ['', ...units], given.unit ?? '', at('unit'), (chosen) => set({ unit: chosen }), {
        '': told('noUnit'),
      })
    : $()
  const small = (icon: string, text: string, field: string, pressed: () => void) =>
    rowButton(icon, `${name}: ${text}`, text, at(field), pressed)
  const buttons = [
    hasFurther(row)
      ? small('ellipsis-h', told('further'), 'further', () => {
          if (!open.delete(key)) open.add(key)
          redraw()
        }).attr('aria-expanded', String(open.has(key)))
      : $(),
    original && isChanged ? small('undo', told('reset'), 'reset', () => change(place, original)) : $(),
    small('trash-o', told('remove'), 'remove', () => remove(place)),
  ]
  const cells = [
    $('<th scope="row">').append(
      $('<span>').attr('title', key).text(name),
      isChanged ? $('<em>').text(told(original ? 'changed' : 'added')) : $(),
      $('<small>').text(told(`from.${from}`)),
    ),
    $('<td>').append(where),
    $('<td>').append(type),
    $('<td>').append(unit),
    $('<td class="vision-plc-bytes">').append(
      sample ? [$('<code>').text(sample.words), $('<small>').text(sample.text)] : [],
    ),
    $('<td class="vision-plc-row-buttons">').append(buttons),
  ]
  const main = $('<tr>').toggleClass('vision-plc-changed', isChanged).append(cells)
  const below = [
    open.has(key) ? $('<td colspan="6">').append(furtherControls(told, row, set)) : undefined,
    faults.length ? $('<td colspan="6" class="vision-reason">').text(faults.join(' ')) : undefined,
  ]
  return [main, ...below.flatMap((cell) => (cell ? [$('<tr>').append(cell)] : []))]
}

const isCoil = ({ area }: MapLine) => area === 'coils' || area === 'discreteInputs'

/** A bit has a bit number in a word, everything else has none; only texts have a length. */
function typeChanges(line: MapLine, type: string): Partial<Record<keyof MapLine, unknown>> {
  const hasLength = type === 'STRING' || type === 'bytes'
  const needsBit = type === 'bit' && line.name === undefined && !isCoil(line)
  return {
    type,
    bit: needsBit ? (line.bit ?? 0) : undefined,
    length: hasLength ? (line.length ?? 16) : undefined,
    // A word has none; a text has fewer than a number.
    ...(line.order !== undefined &&
      !ordersOf({ ...line, type: type as MapLine['type'] }).includes(line.order) && { order: undefined }),
    ...((hasLength || type === 'bit') && { unit: undefined, scale: undefined }),
  }
}

/** Without what is empty: a property that is left out has its default. */
const withChanges = (line: MapLine, changes: Partial<Record<keyof MapLine, unknown>>): MapLine =>
  Object.fromEntries(
    Object.entries({ ...line, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as MapLine

/** `12`, or `12.3` for bit 3 of a register. */
const addressText = ({ address, bit }: MapLine): string =>
  address === undefined ? '' : bit === undefined ? String(address) : `${String(address)}.${String(bit)}`

/** @returns undefined where the text is no address */
function addressIn(text: string, isBit: boolean): Pick<MapLine, 'address' | 'bit'> | undefined {
  const found = /^\s*(\d{1,5})(?:\.(\d{1,2}))?\s*$/.exec(text)
  if (!found || (found[2] !== undefined && !isBit)) return undefined
  return { address: Number(found[1]), ...(isBit && { bit: Number(found[2] ?? 0) }) }
}

const areas = ['registers', 'coils', 'inputRegisters', 'discreteInputs'] as const

type SetRow = (changes: Partial<Record<keyof MapLine, unknown>>) => void

const isText = ({ type }: MapLine) => type === 'STRING' || type === 'bytes'

/** Whether a line has anything to set beside address, type and unit. */
const hasFurther = ({ by, line: { line, address } }: EditedRow): boolean =>
  (by === 'address' && address === undefined) ||
  isText(line) ||
  line.type !== 'bit' ||
  line.row === 'property'

const orders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
const isDouble = ({ type }: MapLine) => type === 'REAL' || type === 'DINT' || type === 'UDINT'

/** Orders that make a difference in a line. */
const ordersOf = (line: MapLine): readonly string[] =>
  isDouble(line) ? orders : isText(line) ? ['ABCD', 'BADC'] : []

/** Memory, length, scale, order, and the path in the message, as far as the line has them. */
function furtherControls(
  told: Translator,
  { line: { line, name, from, address }, place, by }: EditedRow,
  set: SetRow,
) {
  const at = (field: string) => `${String(place)}:${field}`
  // An address of the PLC's own says where it is, and the protocol in which order.
  const hasAreas = by === 'address' && address === undefined
  const label = (field: string) => `${name}: ${told(`columns.${field}`)}`
  const labelled = (field: string, control: JQuery) =>
    $('<span>').append($('<small aria-hidden="true">').text(told(`columns.${field}`)), ' ', control)
  const names = Object.fromEntries(areas.map((area) => [area, told(`areas.${area}`)]))
  const number = (field: 'length' | 'scale' | 'index') =>
    entry(label(field), String(line[field] ?? ''), at(field), (text) => {
      const value = Number(text.replace(',', '.'))
      if (text.trim() !== '' && !Number.isFinite(value)) return told('badNumber')
      set({ [field]: text.trim() === '' ? undefined : value })
      return ''
    })
  const memory = choice(
    label('area'),
    from === 'plc' ? areas : areas.slice(0, 2),
    line.area ?? 'registers',
    at('area'),
    (area) =>
      set({
        area: area === 'registers' ? undefined : area,
        bit:
          line.type !== 'bit' || area === 'coils' || area === 'discreteInputs' ? undefined : (line.bit ?? 0),
      }),
    names,
  )
  return $('<div class="vision-plc-further">').append(
    hasAreas ? labelled('area', memory) : $(),
    isText(line) ? labelled('length', number('length')) : $(),
    line.type !== 'bit' && !isText(line) ? labelled('scale', number('scale')) : $(),
    hasAreas && ordersOf(line).length > 0
      ? labelled(
          'order',
          choice(
            label('order'),
            ['', ...ordersOf(line)],
            line.order ?? '',
            at('order'),
            (order) => set({ order }),
            { '': told('mapOrder') },
          ),
        )
      : $(),
    line.row === 'property'
      ? labelled(
          'path',
          entry(label('path'), line.path ?? '', at('path'), (path) => {
            set({ path: path.trim() })
            return undefined
          }),
        )
      : $(),
  )
}

/**
 * A text of a table row, passed on when it is left.
 * @param taken returns what is wrong with it, or nothing
 */
function entry(
  label: string,
  value: string,
  at: string,
  taken: (text: string) => string | undefined,
): JQuery {
  const input = $('<input type="text">').attr({ 'aria-label': label, 'data-at': at, value })
  const wrong = $('<div class="vision-reason" role="status">')
  input.on('change', () => {
    const text = String(input.val())
    // What has been passed on is no longer being typed.
    input.prop('defaultValue', text)
    const reason = taken(text) ?? ''
    wrong.text(reason)
    input.attr('aria-invalid', reason ? 'true' : null).toggleClass('input-error', reason !== '')
  })
  return input.add(wrong)
}

/** A button of a table row that shows an icon. */
const rowButton = (icon: string, label: string, title: string, at: string, pressed: () => void): JQuery =>
  $('<button type="button" class="red-ui-button red-ui-button-small">')
    .attr({ 'aria-label': label, title, 'data-at': at })
    .append($('<i aria-hidden="true">').addClass(`fa fa-${icon}`))
    .on('click', pressed)

/** @param names of values that are shown otherwise */
function choice(
  label: string,
  values: readonly string[],
  value: string,
  at: string,
  taken: (value: string) => void,
  names: Readonly<Record<string, string>> = {},
): JQuery {
  // A value that is not possible is shown all the same, beside its fault.
  const all = values.includes(value) ? values : [value, ...values]
  const select = $('<select>').attr({ 'aria-label': label, 'data-at': at })
  select
    .append(
      all.map((each) =>
        $('<option>')
          .val(each)
          .text(names[each] ?? each),
      ),
    )
    .val(value)
  return select.on('change', () => taken(String(select.val())))
}

/** A line of the map in its table. */
interface EditedRow {
  line: EditedLine
  place: number
  by: 'address' | 'name'
}

/** Puts a line in the place of another. */
type Change = (place: number, line: MapLine) => void

/**
 * Draws rows anew without drawing over what a person types there: then it waits until the focus has left. The focus stays
 * where it was, by the `data-at` of its element. Nothing (`undefined`) is drawn at once.
 */
function aroundFocus<Shown>(body: JQuery, draw: (shown: Shown | undefined) => void) {
  let waiting: Shown | undefined
  body.on('focusout', () => {
    setTimeout(() => {
      if (waiting !== undefined) show(waiting)
    })
  })
  return show

  function show(shown: Shown | undefined): void {
    const focused = focusIn(body)
    waiting = shown !== undefined && focused?.isTyping ? shown : undefined
    if (waiting !== undefined) return
    draw(shown)
    if (focused) body.find(`[data-at="${focused.at}"]`).trigger('focus')
  }
}

/** Where the focus is in the table, and whether a text is being changed there. */
function focusIn(body: JQuery): { at: string; isTyping: boolean } | undefined {
  const { activeElement } = document
  if (!(activeElement instanceof HTMLElement) || !body[0]?.contains(activeElement)) return undefined
  const isTyping =
    activeElement instanceof HTMLInputElement && activeElement.value !== activeElement.defaultValue
  return { at: activeElement.dataset['at'] ?? '', isTyping }
}
