import { Throttle } from '../kernel/rate'
import { startTimeout } from '../kernel/timers'

/** Which messages are passed on: all, at most `rate` per second (the newest ones), or batches. */
export type Pacing = { send: 'every' } | { send: 'rate'; rate: number } | Batches

/** A batch is complete with `count` messages, or when its first one is `seconds` old; one of the two is sufficient. */
export interface Batches {
  send: 'batch'
  /** At most 100000. */
  count?: number
  seconds?: number
}

/** Passes a stream on at the pace of its consumer. */
export interface Pacer<Message> {
  take: (message: Message) => void
  /** Messages replaced by newer ones. */
  skipped: () => number
  close: () => void
}

const most = 100_000 // messages per batch: a long interval must not exhaust memory

/** @param send called with one message, or with a whole batch */
export function pacer<Message>(pacing: Pacing, send: (messages: Message[]) => void): Pacer<Message> {
  if (pacing.send === 'rate') {
    const throttle = new Throttle<Message>(1000 / pacing.rate, (message) => send([message]))
    return {
      take: (message) => throttle.push(message),
      skipped: () => throttle.skipped,
      close: () => throttle.close(),
    }
  }
  if (pacing.send === 'batch') return batches(pacing, send)
  return { take: (message) => send([message]), skipped: () => 0, close: () => undefined }
}

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
