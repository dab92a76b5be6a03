import { startInterval, startTimeout } from '../../timers/timers'
import type { OpenMap } from '../data'
import type { Family } from '../families'
import {
  Delivery,
  faultInStatus,
  messageForm,
  messagesError,
  type Heard,
  type MessageLink,
  type MessageProtocol,
  type Reading,
} from '../messages'
import { PlcError } from '../plc-error'
import type { PlcPort, PortEvents } from './port'

export interface MessagePortOptions {
  protocol: MessageProtocol
  link: MessageLink
  /** The row without which nothing is known of the PLC. */
  request: Family['request']
  /** Milliseconds without a value of the PLC after which the reader counts as silent. @default 3000 */
  silent?: number
  /** Milliseconds from one read to the next, for a reader that is asked. @default 100 */
  interval?: number
}

/** Milliseconds in which values that come one by one belong together: a server tells them in any order. */
const together = 20
/** The same after a start or a loss: values that stood there before come first, and are not executed. */
const settling = 500
/** Milliseconds after which a read counts as lost that was not answered. */
const answerWithin = 1000

/** Nodes of others read the PLC and write to it; their messages come and go by the link. */
export function openMessagePort(
  { protocol, link, request, silent = 3000, interval = 100 }: MessagePortOptions,
  map: OpenMap,
  { onLink, onSample, onTrouble }: PortEvents,
): PlcPort {
  const form = messageForm(map, protocol.by)
  const wanted = [...form.plcKeys, ...form.cellKeys]
  const isOfCell = new Set(form.cellKeys)
  const { values } = link
  let isUp = false
  let silence: NodeJS.Timeout | undefined
  let gathering: NodeJS.Timeout | undefined
  /** What has come one by one since the last look. */
  let gathered = new Map<string, unknown>()
  let askedAt: number | undefined
  /** Why the last message could not be read, as it was reported. */
  let unreadable: string | undefined

  const delivery = new Delivery({
    steps: (items, isChanged) => protocol.write(items, isChanged),
    send: (message) => link.send(message),
    onTrouble,
  })

  function down(reason?: Parameters<typeof onLink>[1]): void {
    stopGathering()
    if (!isUp && !reason) return
    isUp = false
    delivery.lost()
    onLink(false, reason)
    if (reason) onTrouble(reason)
  }

  function listen(): void {
    clearTimeout(silence)
    silence = startTimeout(() => {
      const seconds = silent / 1000
      down(messagesError({ code: 'UNREACHABLE', key: 'messages-silent', values: { seconds, request } }))
    }, silent)
  }

  function stopGathering(): void {
    clearTimeout(gathering)
    gathering = undefined
    gathered = new Map()
  }

  function look(): void {
    const own = new Map([...gathered].filter(([key]) => isOfCell.has(key)))
    stopGathering()
    const says = form.says((key) => values.get(key))
    if (says[request] === undefined) return
    listen()
    // First: what is written now is proven by what comes afterwards.
    const kept = delivery.heard(own)
    if (!isUp) {
      isUp = true
      onLink(true)
    }
    onSample(says, kept)
  }

  function take({ values: read, complete, fresh }: Reading): void {
    if (fresh) down()
    // A pulse between two looks must not vanish.
    const isPulse = [...read].some(([key, value]) => gathered.has(key) && gathered.get(key) !== value)
    if (isPulse && isUp) look()
    for (const [key, value] of read) {
      values.set(key, value)
      gathered.set(key, value)
    }
    const isWhole = complete || form.plcKeys.every((key) => read.has(key))
    if (isWhole) askedAt = undefined
    // A server can call the value bad that asks: what it was before says nothing.
    if (isWhole && form.says((key) => read.get(key))[request] === undefined) return
    if (isWhole) look()
    else gathering ??= startTimeout(look, isUp ? together : settling)
  }

  function hear(message: object): Heard {
    const fault = faultInStatus(message)
    if (fault !== undefined) {
      if (fault && isUp)
        down(messagesError({ code: 'UNREACHABLE', key: 'messages-reader-fault', values: { text: fault } }))
      return 'status'
    }
    let reading: Reading | undefined
    try {
      reading = protocol.read(message, wanted)
    } catch (error) {
      if (!(error instanceof PlcError)) throw error
      // A reader repeats the same with each poll: one report is enough, until it has read something.
      if (unreadable !== error.key) onTrouble(error)
      unreadable = error.key
      return 'status'
    }
    if (!reading) return 'foreign'
    unreadable = undefined
    take(reading)
    return 'reading'
  }

  /** A message that cannot be read must not keep the cell from starting. */
  function readBefore(message: object): Reading | undefined {
    try {
      return protocol.read(message, wanted)
    } catch {
      return undefined
    }
  }

  function ask(): void {
    const now = performance.now()
    // A reader that is still connecting keeps what it is asked.
    if (askedAt !== undefined && now < askedAt + answerWithin) return
    askedAt = now
    const message = protocol.ask?.(wanted)
    if (message) link.send(message)
  }

  listen()
  // What has come before is one look: an edge in it was before the start.
  const readings = link.attach(hear).map(readBefore)
  for (const reading of readings) for (const [key, value] of reading?.values ?? []) values.set(key, value)
  if (readings.some((reading) => reading !== undefined)) look()
  const asking = protocol.ask ? startInterval(ask, interval) : undefined
  if (asking) ask()

  return {
    write: (says, all) => delivery.write(form.items(says), all),
    isPolled: false,
    isOwn: false,
    silence: silent,
    figures: {},
    close: () => {
      link.detach(hear)
      clearTimeout(silence)
      clearInterval(asking)
      stopGathering()
      delivery.lost()
      return Promise.resolve()
    },
  }
}
