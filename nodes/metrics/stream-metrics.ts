import type { ReceiverStatistics } from '../../lib/streams'
import type { MetricName } from './families'
import type { Group } from './registry'

/** What is read of the statistics, with seconds instead of milliseconds. */
const readings = {
  vision_stream_messages_total: ({ messages }: ReceiverStatistics) => messages,
  vision_stream_lost_total: ({ lost }: ReceiverStatistics) => lost,
  vision_stream_rate_hertz: ({ rate }: ReceiverStatistics) => rate,
  vision_stream_jitter_seconds: ({ jitter }: ReceiverStatistics) => jitter / 1000,
} as const satisfies Partial<Record<MetricName, (statistics: ReceiverStatistics) => number>>

/** The data streams that nodes receive from a device. */
export class StreamMetrics {
  constructor(private readonly group: Group) {}

  /**
   * @param receiver the node; with its id where another of that name receives the stream
   * @returns ends it
   */
  received(
    stream: string,
    receiver: { id: string; name?: string },
    statistics: () => ReceiverStatistics,
  ): () => void {
    const name = receiver.name?.trim() || receiver.id
    const keyOf = (label: string) => `${stream} ${label}`
    const isTaken = this.group.has('vision_stream_messages_total', keyOf(name))
    const label = isTaken ? `${name} (${receiver.id})` : name
    const ends = Object.entries(readings).map(([metric, read]) =>
      this.group.gauge(metric as MetricName, keyOf(label), 1, () => [
        { labels: { stream, receiver: label }, value: read(statistics()) },
      ]),
    )
    return () => {
      for (const end of ends) end()
    }
  }
}
