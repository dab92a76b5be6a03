import type { StreamMessageType } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import { pacer, type Pacing } from '../../lib/streams/pacing'
import type { Receiver, ReceiverOptions } from '../../lib/streams'
import type { Connection } from '../device/connection'
import { loadClient } from '../shared/load-later'
import type { Properties, OutcomeSummary } from '../shared/outcome'
import { hostOf } from '../device/host-of'
import { messageOf, type Received } from './message-of'
import { teller } from './message-of'

/** The address and port of a node, and the hosts that it accepts. */
export type ListenAddress = Pick<ReceiverOptions<StreamMessageType>, 'address' | 'port' | 'allow'>

interface Listening {
  device: Connection
  record: Stream
  place: ListenAddress
  pacing: Pacing
  send: (message: Properties, told: OutcomeSummary) => void
  failed: (error: unknown) => void
}

export interface Listener extends Receiver {
  /** Number of messages that the pace left out. */
  skipped: () => number
}

/** Listens for a stream and sends its messages at the selected pace. @throws VisionError if it cannot listen */
export async function listen({ device, record, place, pacing, send, failed }: Listening): Promise<Listener> {
  const isBatch = pacing.send === 'batch'
  const toldReceived = teller()
  const paced = pacer<Received>(pacing, (received) =>
    send(messageOf(record.name, received, isBatch), toldReceived(record.name, received.length, isBatch)),
  )
  const receiver = await loadClient().streams.receiveStream(
    { device: hostOf(device), message: record.protobuf as StreamMessageType, ...place },
    { onMessage: (message, timestamp) => paced.take({ message, timestamp }), onError: failed },
  )
  return {
    ...receiver,
    skipped: () => paced.skipped(),
    close: async () => {
      const closed = receiver.close()
      paced.close()
      await closed
    },
  }
}
