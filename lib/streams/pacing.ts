import { startTimeout } from '../kernel/timers'

/**
 * Which messages of a stream are passed on: every message, at most `rate` of them per second (the newest ones), or
 * batches.
 */
export type Pacing = { send: 'every' } | { send: 'rate'; rate: number } | Batches

/**
 * A batch is complete when it has `count` messages, or when its first message is `seconds` old; one of the two is
 * sufficient.
 */
export interface Batches {
  send: 'batch'
  /** At most 100000. */
  count?: number
  seconds?: number
}

/** Passes a stream on at the pace that its consumer needs. */
export interface Pacer<Message> {
  take: (message: Message) => void
  /** Number of messages that were replaced by newer ones. */
  skipped: () => number
  /** Stops sending; drops what was collected. */
  close: () => void
}

/** Most messages in one batch, so that a long interval cannot exhaust memory. */
const most = 100_000

/** @param send called with one message, or with a whole batch */
export function pacer<Message>(pacing: Pacing, send: (messages: Message[]) => void): Pacer<Message> {
  if (pacing.send === 'rate') return latest(pacing.rate, send)
  if (pacing.send === 'batch') return batches(pacing, send)
  return { take: (message) => send([message]), skipped: () => 0, close: () => undefined }
}

/** At most `rate` per second; the newest message waits for its turn. */
function latest<Message>(rate: number, send: (messages: Message[]) => void): Pacer<Message> {
  const period = 1000 / rate
  let waiting: Message[] = []
  let sent = -Infinity
  let skipped = 0
  let timer: NodeJS.Timeout | undefined

  const go = () => {
    timer = undefined
    const now = performance.now()
    // A timer may fire up to a millisecond early.
    if (now < sent + period) wait(sent + period - now)
    else {
      sent = now
      const messages = waiting
      waiting = []
      send(messages)
    }
  }
  const wait = (milliseconds: number) => {
    timer = startTimeout(go, Math.max(1, milliseconds))
  }
  return {
    take: (message) => {
      skipped += waiting.length
      waiting = [message]
      if (!timer) go()
    },
    skipped: () => skipped,
    close: () => clearTimeout(timer),
  }
}

/** Collects messages until there are `count`, or until the first one is `seconds` old. */
function batches<Message>({ count, seconds }: Batches, send: (messages: Message[]) => void): Pacer<Message> {
  const full = Math.min(count ?? most, most)
  let batch: Message[] = []
  let timer: NodeJS.Timeout | undefined

  const go = () => {
    clearTimeout(timer)
    timer = undefined
    const messages = batch
    batch = []
    send(messages)
  }
  return {
    take: (message) => {
      batch.push(message)
      if (batch.length >= full) go()
      else if (seconds !== undefined) timer ??= startTimeout(go, 1000 * seconds)
    },
    skipped: () => 0,
    close: () => clearTimeout(timer),
  }
}
