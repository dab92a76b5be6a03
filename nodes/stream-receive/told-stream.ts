import type { ReceiverStatistics } from '../../lib/streams'
import type { OutcomeSummary } from '../shared/outcome'
import { sentencesIn } from '../../lib/sentences/sentences-in'
import { nodeSentences } from '../shared/sentences'
import type de from './locales/de/sentences.json'
import type en from './locales/en-US/sentences.json'

const { told } = nodeSentences(sentencesIn<typeof en, typeof de>(__dirname))

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
