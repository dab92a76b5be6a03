import { typedAddress } from '../lib/contract/reading/typed-address'
import type { Probe } from '../nodes/device-config/admin/probe'
import { probeForm } from './device-api'
import { openForm } from './device-form'
import type { Dialog } from './dialog'
import { sharedText } from './shared-text'

type ReachedDevice = Extract<Probe, { reached: true }>
type Unreached = Extract<Probe, { reached: false }>

/**
 * The button `[data-test-connection]` asks the device of the open form for its identity; the result is shown beside it.
 */
export function testConnection(dialog: Dialog) {
  const { form } = dialog
  const button = form.find('[data-test-connection]')
  const answer = $('<div class="vision-answer" role="status">').appendTo(button.closest('.form-row'))
  if (!button.length) return
  let turn = 0

  button.on('click', () => void test())
  // A result applies only to the values that it was obtained with.
  form.on('input change', 'input, select', () => {
    turn++
    button.prop('disabled', false)
    answer.empty()
    RED.tray.resize()
  })

  async function test() {
    const mine = ++turn
    button.prop('disabled', true)
    answer.empty().text(sharedText('test.asking'))
    const found = await probeForm(openForm(dialog)).catch((problem: unknown) => problem as Error)
    if (mine !== turn) return
    button.prop('disabled', false)
    answer.empty().append(shown(found))
    RED.tray.resize()
  }

  function shown(found: Probe | Error): JQuery[] {
    if (found instanceof Error) return [line('bad', found.message)]
    if (!found.reached) {
      const { shown: host } = typedAddress(String(openForm(dialog).address))
      return [line('bad', sharedText(problems[found.problem], { address: host })), ...answerOf(found)]
    }
    const ready = found.ready
      ? line('good', sharedText('test.ready'))
      : line('soon', sharedText('test.booting'))
    return [ready, identity(found)]
  }
}

const looks = { good: 'fa-check', soon: 'fa-hourglass-half', bad: 'fa-times' }

const line = (look: keyof typeof looks, text: string) =>
  $('<div>')
    .addClass(`vision-test-${look}`)
    .append(`<i class="fa ${looks[look]}" aria-hidden="true"></i> `, $('<span>').text(text))

/** The answer, in its own words. */
const answerOf = ({ status, said }: Unreached): JQuery[] =>
  status === undefined
    ? []
    : [factList([[sharedText('test.answer'), said ? `HTTP ${status}: ${said}` : `HTTP ${status}`]])]

function identity({ model, hostname, serial, firmware, variant, latency }: ReachedDevice): JQuery {
  const facts: [name: string, value: string | undefined][] = [
    [sharedText('test.model'), model || hostname],
    [sharedText('test.serial'), serial],
    [sharedText('test.firmware'), firmware],
    [sharedText('test.variant'), variant],
    [sharedText('test.latency'), `${latency.toLocaleString(RED.i18n.lang())} ms`],
  ]
  return factList(facts)
}

const factList = (facts: [name: string, value: string | undefined][]) =>
  $('<dl>').append(
    facts.flatMap(([name, value]) => (value ? [$('<dt>').text(name), $('<dd>').text(value)] : [])),
  )

const problems: Record<Unreached['problem'], string> = {
  unknownName: 'test.unknownName',
  refused: 'test.refused',
  noAnswer: 'test.noAnswer',
  cutOff: 'test.cutOff',
  notHttps: 'test.notHttps',
  wantsHttps: 'test.wantsHttps',
  certificate: 'test.certificate',
  login: 'test.login',
  starting: 'test.starting',
  inTrouble: 'test.inTrouble',
  behindGateway: 'test.behindGateway',
  askedTooOften: 'test.askedTooOften',
  redirected: 'test.redirected',
  nothingThere: 'test.nothingThere',
  otherDevice: 'test.otherDevice',
}
