import type { ReceiverStatistics } from '../../lib/streams'
import type { StatusWord } from '../shared/status'

/** Milliseconds without data until the status says so. */
export const patience = 3000

/** The state of a stream that a node receives. */
export interface ReceptionState {
  statistics: ReceiverStatistics
  /** Milliseconds since the node began to listen. */
  listening: number
  /** Whether messages were missing recently. */
  losing: boolean
  /** Why the destination is not on the device, if the node keeps it there. */
  unlisted?: StatusWord
  /** Whether the stream needs the device's dynamics module, which is not running. */
  dynamicsStopped: boolean
}

/** The most helpful word, with its number if it takes one. */
export function wordFor({
  statistics,
  listening,
  losing,
  unlisted,
  dynamicsStopped,
}: ReceptionState): [StatusWord, number] {
  const { messages, rate, silence = Infinity, foreign, garbage, truncated } = statistics
  if (Math.min(silence, listening) < patience)
    return rate > 0 ? [losing ? 'losing' : 'receiving', inShort(rate)] : ['awaitingData', 0]
  if (unlisted) return [unlisted, 0]
  if (dynamicsStopped) return ['dynamicsStopped', 0]
  if (messages > 0) return ['dataEnded', 0]
  if (garbage + truncated > 0) return ['unreadableData', 0]
  return [foreign > 0 ? 'foreignData' : 'noData', 0]
}

/** Two digits: more would change every second and flood the editor. */
const inShort = (rate: number) => Number(rate.toPrecision(2))
