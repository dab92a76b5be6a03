import { checkOption, isWholeWithin, isWithin } from '../option-check'

/** Which PLC, and how patiently. */
export interface ModbusClientOptions {
  /** Name or IP address of the PLC. */
  host: string
  /** @default 502 */
  port?: number
  /** @default 1 */
  unit?: number
  /** Milliseconds for the answer to a request. Two in a row without one end the connection. @default 1000 */
  deadline?: number
  /** Milliseconds for a connection. @default 3000 */
  connectDeadline?: number
  /** Limit of the random pause before the first attempt to connect again, milliseconds; it doubles each time. @default 200 */
  firstPause?: number
  /** The longest of these pauses, milliseconds. @default 10000 */
  longestPause?: number
  /** Requests that may wait behind the one under way. @default 64 */
  queue?: number
  /** 0 to 1, for the pauses. @default Math.random */
  random?: () => number
}

const aDay = 86_400_000

/** The options with their defaults. @throws PlcError `INVALID_INPUT` */
export function clientSettings({
  host,
  port = 502,
  unit = 1,
  deadline = 1000,
  connectDeadline = 3000,
  firstPause = 200,
  longestPause = 10_000,
  queue = 64,
  random = Math.random,
}: ModbusClientOptions): Required<ModbusClientOptions> {
  checkOption(
    'host',
    host,
    typeof host === 'string' && host.trim() !== '',
    'the name or IP address of the PLC, such as 192.168.0.10',
  )
  checkOption('port', port, isWholeWithin(port, 1, 65_535), '1 to 65535')
  checkOption('unit', unit, isWholeWithin(unit, 0, 255), '0 to 255')
  checkOption('deadline', deadline, isWithin(deadline, 1, aDay), '1 ms to 24 h')
  checkOption('connectDeadline', connectDeadline, isWithin(connectDeadline, 1, aDay), '1 ms to 24 h')
  checkOption('firstPause', firstPause, isWithin(firstPause, 1, aDay), '1 ms to 24 h')
  checkOption(
    'longestPause',
    longestPause,
    isWithin(longestPause, firstPause, aDay),
    `${firstPause} ms to 24 h`,
  )
  checkOption('queue', queue, isWholeWithin(queue, 0, 10_000), '0 to 10000')
  return { host: host.trim(), port, unit, deadline, connectDeadline, firstPause, longestPause, queue, random }
}
