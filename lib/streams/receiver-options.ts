import { VisionError } from '../client/vision-error'
import type { StreamMessageType } from '../codec/streams'
import { timestampOf } from './timestamp-of'

/** Which datagrams to receive, and where. */
export interface ReceiverOptions<Type extends StreamMessageType> {
  /** Name or IP address of the device. */
  device: string
  /** The message type from the field `protobuf` of the stream's record: `Frame`, `Dynamics` or `Imu`. */
  message: Type
  /** Local address to listen on; `0.0.0.0` and `::` are all. @default the one that the device is reached from */
  address?: string
  /** UDP port to listen on; 0 is any free port. Receivers in one process may share one. @default 0 */
  port?: number
  /** Further hosts whose datagrams are accepted, or all. @default only the device */
  allow?: readonly string[] | 'all'
  /** Size of the receive buffer in bytes; the system may grant less. 0 is the system's default. @default 1048576 */
  recvBufferSize?: number
  /** Messages per second, for detecting losses. @default estimated from the timestamps */
  rate?: number
}

/** @throws VisionError `INVALID_INPUT` */
export function checkOptions({
  message,
  port = 0,
  recvBufferSize = 0,
  rate = 1,
}: ReceiverOptions<StreamMessageType>): void {
  check('message', Object.hasOwn(timestampOf, message), 'Frame, Dynamics or Imu')
  check('port', Number.isInteger(port) && port >= 0 && port <= 65_535, '0 to 65535')
  check('recvBufferSize', Number.isInteger(recvBufferSize) && recvBufferSize >= 0, '>= 0 bytes')
  check('rate', Number.isFinite(rate) && rate > 0, '> 0 Hz')
}

function check(option: string, right: boolean, expected: string): void {
  if (!right)
    throw new VisionError({ code: 'INVALID_INPUT', key: 'bad-option', values: { option, expected } })
}
