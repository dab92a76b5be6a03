import type { StreamMessages, Time } from '../../lib/codec/streams'
import type { ReceiverStatistics } from '../../lib/streams'
import type { OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('stream-receive')

/** A message of a stream and the time of its measurement. */
export interface Received {
  message: StreamMessages[keyof StreamMessages]
  timestamp: Time
}

/**
 * The message that the node sends.
 * @param received in order of arrival; one message, or a batch
 */
export function messageOf(stream: string, received: readonly Received[], isBatch: boolean) {
  const messages = received.map(({ message }) => withPlainNumbers(message))
  const newest = received.at(-1)
  return {
    topic: stream,
    payload: isBatch ? messages : messages[0],
    ...(newest && { timestamp: secondsOf(newest.timestamp) }),
  }
}

/** The statistics of a stream, as sent by the node. */
export const statisticsOf = (
  stream: string,
  destination: string,
  skipped: number,
  { silence, timestamp, jitter, ...statistics }: ReceiverStatistics,
) => ({
  topic: stream,
  payload: {
    destination,
    ...statistics,
    skipped,
    // The meter uses milliseconds; flows use seconds.
    jitter: jitter / 1000,
    ...(silence !== undefined && { silence: silence / 1000 }),
    ...(timestamp && { timestamp: secondsOf(timestamp) }),
  },
})

/** Seconds since 1970. */
const secondsOf = ({ sec = 0, nsec = 0 }: Time): number => Number(sec) + nsec / 1e9

/** Seconds need a bigint only if the clock is far off; a flow could not even write one as JSON. */
function withPlainNumbers<Value extends object>(value: Value): Value {
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'bigint') Object.assign(value, { [key]: Number(each) })
    else if (typeof each === 'object' && !Array.isArray(each)) withPlainNumbers(each as object)
  }
  return value
}

/**
 * A summary of a stream's messages. Single messages arrive up to hundreds of times a second, so their text is reused.
 */
export function teller(): (stream: string, count: number, isBatch: boolean) => OutcomeSummary {
  let single: OutcomeSummary | undefined
  return (stream, count, isBatch) =>
    isBatch
      ? told('result-stream-batch', { stream, count }, { value: count })
      : (single ??= told('result-stream', { stream }, { value: 1 }))
}

/** A summary of a stream's statistics. */
export function toldStatistics(stream: string, { rate, lost: count }: ReceiverStatistics): OutcomeSummary {
  const shown = Number(rate.toPrecision(3))
  return count > 0
    ? told('result-stream-losses', { stream, rate: shown, count }, { value: shown, state: 'warning' })
    : told('result-stream-rate', { stream, rate: shown }, { value: shown })
}
