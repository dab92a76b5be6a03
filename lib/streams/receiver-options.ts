import { VisionError } from '../client/vision-error'
import type { StreamMessageType } from '../codec/streams'
import { timestampOf } from './timestamp-of'

/** Which datagrams are listened for, and where. */
export interface ReceiverOptions<Type extends StreamMessageType> {
  /** Name or IP address of the device. */
  device: string
  /** What the stream's record gives in `protobuf`: `Frame`, `Dynamics` or `Imu`. */
  message: Type
  /** Own address to listen on; `0.0.0.0` and `::` are all. @default the one that the device is reached from */
  address?: string
  /** UDP port to listen on; 0 is any that is free. Receivers of one process may share one. @default 0 */
  port?: number
  /** Further hosts whose datagrams are taken, or all. @default none but the device */
  allow?: readonly string[] | 'all'
  /** Bytes that may wait to be read; the system may give less. 0 is what it gives unasked. @default 1048576 */
  recvBufferSize?: number
  /** Messages per second, to tell losses by. @default found from the timestamps */
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
