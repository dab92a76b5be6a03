import { startTimeout } from '../timers/timers'

/** What of a stream is sent on: every message, at most `rate` of them per second (the newest counts), or batches. */
export type Pacing = { send: 'every' } | { send: 'rate'; rate: number } | Batches

/** A batch is complete when it has so many messages, or when its first one is so old; one of the two is enough. */
export interface Batches {
  send: 'batch'
  /** At most 100000. */
  count?: number
  seconds?: number
}

/** Lets a stream through at a pace that suits who reads it. */
export interface Pacer<Message> {
  take: (message: Message) => void
  /** Messages that newer ones took the place of. */
  skipped: () => number
  /** Nothing is sent any more; what was collected is dropped. */
  close: () => void
}

/** Most messages in one batch, so that a long time cannot exhaust the memory. */
const most = 100_000

/** @param send is given every message alone, or as many as make a batch */
export function pacer<Message>(pacing: Pacing, send: (messages: Message[]) => void): Pacer<Message> {
  if (pacing.send === 'rate') return latest(pacing.rate, send)
  if (pacing.send === 'batch') return batches(pacing, send)
  return { take: (message) => send([message]), skipped: () => 0, close: () => undefined }
}

/** At most so many per second; in between the newest message waits for its turn. */
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

/** Collects until there are so many, or until the first one has waited so long. */
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
