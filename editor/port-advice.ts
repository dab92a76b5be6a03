import type { PortAnswer, PortQuestion } from '../nodes/virtual-device/port/port-route'
import { awaited, isPassing } from './device-trouble'
import { fieldOf, text, type Dialog } from './dialog'
import { request } from './request'

/** Milliseconds without a key press before the port is checked. */
const pause = 300
const lastPort = 65_535
/** Most ports of other devices that are considered. */
const mostOthers = 1000

interface AdvisedPort {
  host: string
  port: number
}

type Translator = (key: string, values?: Record<string, string | number>) => string

/**
 * Shows below the port of a virtual device who else uses it, and offers the next free one.
 * @param told returns the text of a key
 */
export function portAdvice(dialog: Dialog, told: Translator) {
  const { node, form, input, value } = dialog
  const field = input('port')
  const line = $('<div class="vision-hint vision-port" role="status">').appendTo(field.closest('.form-row'))
  let turn = 0
  let timer = 0

  for (const name of ['port', 'host'])
    input(name).on('input change', () => {
      turn++
      clearTimeout(timer)
      timer = window.setTimeout(() => void look(), pause)
    })
  form.on('vision-refresh', () => void look())
  void look()

  async function look() {
    const mine = ++turn
    const place = placeOf(value('host'), value('port'))
    if (!place) {
      say([])
      return
    }
    const others = otherDevices(node)
    const twin = others.find((other) => other.port === place.port && isSameHost(other.host, place.host))
    const question: PortQuestion = {
      ...place,
      node: node.id,
      others: others.map(({ port }) => port).slice(0, mostOthers),
    }
    // Without permission or a connection, only the editor's own knowledge is used.
    const asked = awaited(dialog, request('POST', 'vision-devices/port', question), isPassing)
    const answer = (await asked.catch(() => undefined)) as PortAnswer | undefined
    if (mine !== turn || !field[0]?.isConnected) return
    const found = twin ? told('twin', { name: twin.name, port: place.port }) : holderOf(answer, place.port)
    say(found ? [found, ...offer(answer)] : [])
  }

  function holderOf(answer: PortAnswer | undefined, port: number): string | undefined {
    if (answer?.by === 'program') return told('program', { port })
    if (answer?.by !== 'virtualDevice') return undefined
    const { serial } = answer
    return serial === undefined ? told('virtualDevice', { port }) : told('serial', { port, serial })
  }

  function offer(answer: PortAnswer | undefined): (string | JQuery)[] {
    if (!answer) return []
    const { free } = answer
    if (free === undefined) return [' ', told('noneFree')]
    const button = $('<button type="button" class="red-ui-button red-ui-button-small">')
      .text(told('take', { port: free }))
      .on('click', () => void field.val(String(free)).trigger('change').trigger('focus'))
    return [' ', button]
  }

  function say(parts: readonly (string | JQuery)[]) {
    line
      .empty()
      .append(parts.map((part) => (typeof part === 'string' ? document.createTextNode(part) : part)))
    RED.tray.resize()
  }
}

/** The address that a device will listen on; undefined if it is unknown, or if any free port will do. */
function placeOf(host: string, given: string): AdvisedPort | undefined {
  const port = Number(given)
  const isPort = /^\d+$/.test(given) && port > 0 && port <= lastPort
  return isPort && /^[\w.:-]+$/.test(host) ? { host, port } : undefined
}

/** The other virtual devices in the editor that are enabled. */
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
