import type { Connection } from './connection'

/** Name or IP address of a device, without scheme, port and path. */
export const hostOf = ({ client }: Pick<Connection, 'client'>): string => new URL(client.address).hostname
