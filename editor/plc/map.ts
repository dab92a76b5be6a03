import type { CopyAnswer, CopyKind } from '../../nodes/plc-handshake/copy-route'
import { awaited, isPassing } from '../device-trouble'
import { text, type Dialog } from '../dialog'
import { problemIn, request } from '../request'

/** Fields that decide about the map. */
const deciding = ['connection', 'prefix', 'family', 'map', 'offset', 'order', 'poseFormat', 'codes'] as const
const columns = ['register', 'bit', 'type', 'meaning'] as const
const files = { page: 'html', csv: 'csv', scl: 'scl', st: 'st' } as const
/** Milliseconds without a change before the map is asked for. */
const pause = 300

type Translator = (key: string) => string

/** Shows the register map of a handshake below its field, and makes the PLC's side of it. */
export function plcMap(dialog: Dialog, told: Translator): void {
  const { node, form, input, value } = dialog
  const row = input('map').closest('.form-row')
  const table = $('<table class="vision-plc-map">')
  const problem = $('<div class="vision-hint" role="status">')
  const buttons = (Object.keys(files) as (keyof typeof files)[]).map((kind) =>
    $('<button type="button" class="red-ui-button red-ui-button-small">')
      .text(told(kind))
      .on('click', () => void copy(kind)),
  )
  $('<div class="form-row vision-plc-copy">')
    .append($('<label>').text(told('label')), $('<div class="vision-control">').append(...buttons))
    .append($('<div class="vision-hint">').text(told('notRun')), problem, table)
    .insertAfter(row)

  let turn = 0
  let timer = 0
  for (const field of deciding)
    input(field).on('input change', () => {
      turn++
      clearTimeout(timer)
      timer = window.setTimeout(() => void show(), pause)
    })
  form.on('vision-refresh', () => void show())
  void show()

  const ask = (kind: CopyKind) =>
    request('POST', 'vision-devices/plc-copy', {
      kind,
      fields: Object.fromEntries(deciding.map((field) => [field, value(field)])),
    }) as Promise<CopyAnswer>

  async function show(): Promise<void> {
    const mine = ++turn
    try {
      const { lines = [] } = await awaited(dialog, ask('table'), isPassing)
      if (mine !== turn) return
      problem.text('')
      const head = $('<tr>').append(...columns.map((column) => $('<th>').text(told(`columns.${column}`))))
      const body = lines.map((line) =>
        $('<tr>').append(...columns.map((column) => $('<td>').text(line[column]))),
      )
      table.empty().append(head, ...body)
    } catch (error) {
      if (mine !== turn) return
      table.empty()
      const found = problemIn(error)
      // What may pass is said by the dialog, which asks again.
      problem.text(found && !isPassing(found) ? found.message : '')
    }
    RED.tray.resize()
  }

  async function copy(kind: keyof typeof files): Promise<void> {
    try {
      const answer = await ask(kind)
      problem.text('')
      save(answer.text ?? '', `${text(node['name']) || 'plc'}.${files[kind]}`)
    } catch (error) {
      problem.text(error instanceof Error ? error.message : '')
    }
  }
}

function save(content: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain' }))
  const [link] = $('<a>').attr({ href: url, download: name }).get()
  link?.click()
  URL.revokeObjectURL(url)
}
