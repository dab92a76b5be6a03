import type { ReceiverStatistics } from '../../lib/streams'
import type { StatusWord } from '../shared/status-word'

/** Milliseconds without data until the node says so. */
export const patience = 3000

/** What is known about a stream that a node receives. */
export interface ReceptionState {
  statistics: ReceiverStatistics
  /** Milliseconds since the node began to listen. */
  listening: number
  /** Messages were missing a moment ago. */
  losing: boolean
  /** Why the destination is not on the device, if the node keeps it there. */
  unlisted?: StatusWord
  /** The device has what the stream tells only while its dynamics module runs, and that does not. */
  dynamicsStopped: boolean
}

/** The word that helps most, with a number where it has one. */
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
