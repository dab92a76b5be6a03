import { isIP } from 'node:net'
import { checkOption, isWholeWithin, isWithin } from '../option-check'
import type { ModbusBlock, ModbusBlocks } from './memory'

/** Where a server listens, to whom, and what it has. */
export interface ModbusServerOptions {
  /** Own address to listen on; `0.0.0.0` and `::` are all. @default '127.0.0.1' */
  host?: string
  /** 0 is any that is free. @default 1502 */
  port?: number
  /** Further unit ids than 0 and 255, which mean the server itself, are answered with exception 11. @default 1 */
  unit?: number
  /** Addresses, or networks such as `192.168.0.0/24`, that may connect. @default this computer alone */
  allow?: readonly string[]
  /** Registers and coils that exist; for every other address the answer is exception 2. */
  blocks: ModbusBlocks
  /** Connections at a time. A further one takes the place of one that asked or wrote nothing; a PLC at work stays. @default 8 */
  connections?: number
  /** Milliseconds without a request after which a connection is closed. @default 60000 */
  idle?: number
}

const thisComputer = ['127.0.0.0/8', '::1']

/** The options with their defaults. @throws PlcError `INVALID_INPUT` */
export function serverSettings({
  host = '127.0.0.1',
  port = 1502,
  unit = 1,
  allow = thisComputer,
  blocks,
  connections = 8,
  idle = 60_000,
}: ModbusServerOptions): Required<ModbusServerOptions> {
  checkOption('host', host, isIP(host) > 0, 'an IP address of this computer, such as 127.0.0.1')
  checkOption('port', port, isWholeWithin(port, 0, 65_535), '0 to 65535')
  checkOption('unit', unit, isWholeWithin(unit, 0, 255), '0 to 255')
  checkOption('connections', connections, isWholeWithin(connections, 1, 1000), '1 to 1000')
  checkOption('idle', idle, isWithin(idle, 100, 86_400_000), '100 ms to 24 h')
  for (const block of [...(blocks.registers ?? []), ...(blocks.coils ?? [])]) checkBlock(block)
  return { host, port, unit, allow, blocks, connections, idle }
}

function checkBlock({ address, count }: ModbusBlock): void {
  checkOption('address', address, isWholeWithin(address, 0, 65_535), '0 to 65535')
  checkOption('count', count, isWholeWithin(count, 1, 65_536 - address), `1 to ${65_536 - address}`)
}
