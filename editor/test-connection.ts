import { typedAddress } from '../lib/contract/reading/address'
import type { Probe } from '../nodes/device-config/admin/probe'
import type { PortAnswer, PortQuestion } from '../nodes/virtual-device/port'
import { awaited, isPassing, openForm, probeForm, request } from './device-api'
import { inBackground, type Dialog, fieldOf, sharedText, text } from './dialog'

type ReachedDevice = Extract<Probe, { reached: true }>
type Unreached = Extract<Probe, { reached: false }>

/** `[data-test-connection]` queries the device of the open form. */
export function testConnection(dialog: Dialog) {
  const { form } = dialog
  const button = form.find('[data-test-connection]')
  const answer = $('<div class="vision-answer" role="status">').appendTo(button.closest('.form-row'))
  if (!button.length) return
  let turn = 0

  button.on('click', () => inBackground(test()))
  // A result applies only to the tested values.
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

const icons = { good: 'fa-check', soon: 'fa-hourglass-half', bad: 'fa-times' }

const line = (kind: keyof typeof icons, text: string) =>
  $('<div>')
    .addClass(`vision-test-${kind}`)
    .append(`<i class="fa ${icons[kind]}" aria-hidden="true"></i> `, $('<span>').text(text))

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

/** Milliseconds without a key press until the port is checked. */
const pause = 300
const lastPort = 65_535
const mostOthers = 1000

interface AdvisedPort {
  host: string
  port: number
}

type Translator = (key: string, values?: Record<string, string | number>) => string

/** Shows who uses the port of a virtual device, and offers the next free one. @param translate translates a key */
export function portAdvice(dialog: Dialog, translate: Translator) {
  const { node, form, input, value } = dialog
  const field = input('port')
  const line = $('<div class="vision-hint vision-port" role="status">').appendTo(field.closest('.form-row'))
  let turn = 0
  let timer = 0

  for (const name of ['port', 'host'])
    input(name).on('input change', () => {
      turn++
      clearTimeout(timer)
      timer = window.setTimeout(() => inBackground(check()), pause)
    })
  form.on('vision-refresh', () => inBackground(check()))
  inBackground(check())

  async function check() {
    const mine = ++turn
    const place = placeOf(value('host'), value('port'))
    if (!place) {
      announce([])
      return
    }
    const others = otherDevices(node)
    const twin = others.find((other) => other.port === place.port && isSameHost(other.host, place.host))
    const question: PortQuestion = {
      ...place,
      node: node.id,
      others: others.map(({ port }) => port).slice(0, mostOthers),
    }
    // Without permission or connection, only the editor's own knowledge is used.
    const pending = awaited(dialog, request('POST', 'vision-devices/port', question), isPassing)
    let answer: PortAnswer | undefined
    try {
      answer = (await pending) as PortAnswer
    } catch {
      // The editor's own nodes are compared in any case.
    }
    if (mine !== turn || !field[0]?.isConnected) return
    const found = twin
      ? translate('twin', { name: twin.name, port: place.port })
      : holderOf(answer, place.port)
    announce(found ? [found, ...offer(answer)] : [])
  }

  function holderOf(answer: PortAnswer | undefined, port: number): string | undefined {
    if (answer?.by === 'program') return translate('program', { port })
    if (answer?.by !== 'virtualDevice') return undefined
    const { serial } = answer
    return serial === undefined ? translate('virtualDevice', { port }) : translate('serial', { port, serial })
  }

  function offer(answer: PortAnswer | undefined): (string | JQuery)[] {
    if (!answer) return []
    const { free } = answer
    if (free === undefined) return [' ', translate('noneFree')]
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .text(translate('take', { port: free }))
      .on('click', () => void field.val(String(free)).trigger('change').trigger('focus'))
    return [' ', button]
  }

  function announce(parts: readonly (string | JQuery)[]) {
    line
      .empty()
      .append(parts.map((part) => (typeof part === 'string' ? document.createTextNode(part) : part)))
    RED.tray.resize()
  }
}

/** Undefined if unknown, or for any free port. */
function placeOf(host: string, given: string): AdvisedPort | undefined {
  const port = Number(given)
  const isPort = /^\d+$/.test(given) && port > 0 && port <= lastPort
  return isPort && /^[\w.:-]+$/.test(host) ? { host, port } : undefined
}

function otherDevices({ id }: EditorNode): (AdvisedPort & { name: string })[] {
  const found: (AdvisedPort & { name: string })[] = []
  RED.nodes.eachNode((other) => {
    if (other.type !== 'vision-virtual-device' || other.id === id || isDisabled(other)) return true
    const place = placeOf(fieldOf(other, 'host').trim(), fieldOf(other, 'port').trim())
    if (place) found.push({ ...place, name: RED.utils.getNodeLabel(other as never, other.id) })
    return true
  })
  return found
}

const isDisabled = (node: EditorNode) => Boolean(node['d'] ?? RED.nodes.workspace(text(node['z']))?.disabled)

const all: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
const isSameHost = (one: string, other: string) =>
  named(one) === named(other) || all.has(one) || all.has(other)
const named = (host: string) => (host === 'localhost' ? '127.0.0.1' : host)

/** Link to the device's own page. @param translate translates a key */
export function virtualPage({ input, value }: Dialog, translate: (key: 'link' | 'hint') => string) {
  const link = $('<a target="_blank" rel="noopener noreferrer">')
    .css({ color: 'inherit', textDecoration: 'underline' })
    .text(translate('link'))
  const line = $('<div class="vision-hint vision-page">')
    .append(link, document.createTextNode(` ${translate('hint')}`))
    .appendTo(input('port').closest('.form-row'))
  const update = () => {
    const url = pageUrl(value('host'), value('port'))
    line.toggle(url !== undefined)
    link.attr('href', url ?? '')
    RED.tray.resize()
  }
  for (const name of ['port', 'host']) input(name).on('input change', update)
  update()
}

const everywhere: ReadonlySet<string> = new Set(['localhost', '0.0.0.0', '::'])

/** From the device's computer; undefined if unreachable, or for any free port. */
function pageUrl(host: string, port: string): string | undefined {
  if (!/^\d{1,5}$/.test(port) || Number(port) === 0) return undefined
  const name = everywhere.has(host) ? '127.0.0.1' : host === '::1' ? '[::1]' : host
  return /^127(\.\d{1,3}){3}$/.test(name) || name === '[::1]' ? `http://${name}:${port}/virtual/` : undefined
}
