import type { OpenMap } from '../../lib/plc/data'
import type { WordOrder } from '../../lib/plc/data/map'
import type { Family } from '../../lib/plc/families'
import type { VirtualPlcOptions } from '../../lib/plc/virtual/virtual-plc'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('plc')

interface Wanted {
  connection: string
  /** Of our server, or of the PLC that we connect to. */
  host: string
  port: number
  unit: number
  family: Family
  map: OpenMap
  order: WordOrder
}

/** How a virtual PLC on this computer plays the other side of a connection. @throws INVALID_INPUT where it cannot */
export function virtualPlcOf({ connection, host, ...options }: Wanted): VirtualPlcOptions {
  if (connection === 'server') return { ...options, way: 'client', host: reachable(host) }
  if (connection !== 'client') throw invalidInput('plc-virtual-needs-modbus')
  const own = host.toLowerCase() === 'localhost' ? '127.0.0.1' : host
  // Nothing beyond this computer can reach it there.
  if (!/^(?:127(?:\.\d{1,3}){3}|::1)$/.test(own)) throw invalidInput('plc-virtual-elsewhere', { host })
  return { ...options, way: 'server', host: own }
}

/** Where this computer reaches what listens there. */
const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)
