import type { PlcTest } from '../../nodes/plc-handshake/routes'
import { problemIn, request } from '../device-api'
import { inBackground, type Dialog } from '../dialog'
import type { Translator } from '../texts'
import { deciding } from './map'

/** Fields that say which PLC, and how it is reached. */
const reaching = [
  ...['host', 's7Port', 'cpu', 'block', 'rack', 'slot', 'localTsap', 'remoteTsap'],
  ...['slmpPort', 'transport', 'network', 'pcNumber', 'station'],
] as const

/** Connections that can be tested. */
const tested: ReadonlySet<string> = new Set(['s7-client', 'slmp'])

/** A button below the address of the PLC: what answers there, or why it cannot be used. One attempt for each click. */
export function plcTest({ form, input, value }: Dialog, translate: Translator): void {
  const button = $('<button type="button" class="red-ui-button">').append(
    $('<i class="fa fa-plug" aria-hidden="true">'),
    ' ',
    $('<span>').text(translate('button')),
  )
  const answer = $('<div class="vision-answer" role="status">')
  const row = $('<div class="form-row vision-plc-test">')
    .append($('<label>'), $('<div class="vision-control">').append(button), answer)
    .insertAfter(input('block').closest('.form-row'))
  const show = () => row.toggle(tested.has(value('connection')))
  let turn = 0

  input('connection').on('change', show)
  show()
  button.on('click', () => inBackground(test()))
  // A result applies only to the values that it was obtained with.
  form.on('input change', 'input, select', () => {
    turn++
    button.prop('disabled', false)
    answer.empty()
  })

  async function test() {
    const mine = ++turn
    button.prop('disabled', true)
    answer.empty().text(translate('asking'))
    const fields = Object.fromEntries([...deciding, ...reaching].map((field) => [field, value(field)]))
    const found = await (request('POST', 'vision-devices/plc-test', { fields }) as Promise<PlcTest>).catch(
      (problem: unknown) => problemIn(problem) ?? (problem as Error),
    )
    if (mine !== turn) return
    button.prop('disabled', false)
    answer.empty().append(shown(found))
    RED.tray.resize()
  }

  function shown(found: PlcTest | Error): JQuery[] {
    if (found instanceof Error) return [line('bad', 'fa-times', found.message)]
    const { type, orderNumber, name, protection, milliseconds } = found
    const facts: [key: string, text: string | undefined][] = [
      ['type', type],
      ['orderNumber', orderNumber],
      ['name', name],
      ['protection', protection === undefined ? undefined : String(protection)],
      ['milliseconds', `${milliseconds} ms`],
    ]
    return [
      line('good', 'fa-check', translate('good')),
      $('<dl>').append(
        facts.flatMap(([key, text]) =>
          text === undefined ? [] : [$('<dt>').text(translate(key)), $('<dd>').text(text)],
        ),
      ),
    ]
  }
}

const line = (look: string, icon: string, text: string) =>
  $('<div>')
    .addClass(`vision-test-${look}`)
    .append($('<i aria-hidden="true">').addClass(`fa ${icon}`), ' ', $('<span>').text(text))
