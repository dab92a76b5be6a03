/** Connections in which this computer polls a PLC: what each protocol brings, by the fields of the dialog. */
import type { PlcClientOptions } from '../../lib/plc/client'
import type { OpenMap, PlcMap } from '../../lib/plc/data'
import { openClientPort, type PlcPort, type PortEvents } from '../../lib/plc/handshake/ports'
import { modbusProtocol } from '../../lib/plc/modbus'
import type { ProgramProtocol } from '../../lib/plc/program'
import { s7Protocol, tsapOf } from '../../lib/plc/s7'
import { s7Notation } from '../../lib/plc/s7/addresses'
import { tryS7 } from '../../lib/plc/s7/try-plc'
import { firstD, slmpAddress, slmpNotation, slmpProtocol, trySlmp } from '../../lib/plc/slmp'
import {
  modbusPlcServer,
  s7PlcServer,
  slmpPlcServer,
  type StartPlcServer,
} from '../../lib/plc/virtual/virtual-plc'
import { numberOf } from '../shared/fields/checked-fields'
import { type PlcHandshakeFields, plcHandshakeNode } from './fields'

type PolledOptions = Omit<PlcClientOptions, 'protocol' | 'host' | 'port'> & { interval?: number }

/** Where a PLC is. */
export interface PlcAddress {
  host: string
  port: number
}

/** What a PLC says of itself, as far as it does. */
export interface PlcIdentity {
  type?: string
  orderNumber?: string
  /** As its project calls it. */
  name?: string
  /** 1 is none. */
  protection?: number
  /** For connecting, and reading all of the map. */
  milliseconds: number
}

/** A PLC that this computer polls. */
export interface PolledPlc {
  port: number
  /** How values and addresses stand in the PLC. */
  map: Pick<PlcMap, 'order' | 'textOrder' | 'notation'>
  /** Whose program has the variables at fixed addresses; missing where a block of registers is exchanged. */
  program?: ProgramProtocol
  open: (address: PlcAddress, options: PolledOptions, map: OpenMap, events: PortEvents) => PlcPort
  /** A virtual PLC on this computer. */
  serve: (address: PlcAddress) => StartPlcServer
  /** Connects once, asks what answers, and reads the map. @throws PlcError why it cannot be used */
  test?: (address: PlcAddress, map: OpenMap, signal: AbortSignal) => Promise<PlcIdentity>
}

type NumberField =
  | 'hostPort'
  | 's7Port'
  | 'unitId'
  | 'block'
  | 'slmpPort'
  | 'network'
  | 'pcNumber'
  | 'station'

/** By the choice of the connection; undefined for one that polls nothing itself. */
export function polledPlc(fields: PlcHandshakeFields): PolledPlc | undefined {
  const number = (name: NumberField) => numberOf(plcHandshakeNode, fields, name)
  switch (fields.connection) {
    case 'client': {
      const unit = number('unitId')
      return {
        port: number('hostPort'),
        map: { order: fields.order },
        open: (address, options, map, events) =>
          openClientPort({ protocol: modbusProtocol({ unit }), ...address, ...options }, map, events),
        serve: (address) => modbusPlcServer({ ...address, unit }),
      }
    }
    case 's7-client': {
      const block = number('block')
      const settings = { block, ...tsapsOf(fields) }
      return {
        port: number('s7Port'),
        map: { order: 'ABCD', notation: s7Notation(block) },
        program: 's7-client',
        open: (address, options, map, events) =>
          openClientPort({ protocol: s7Protocol(settings), ...address, ...options }, map, events),
        serve: (address) => s7PlcServer({ ...address, block }),
        test: (address, map, signal) => tryS7(settings, address, map, signal),
      }
    }
    case 'slmp': {
      const start = slmpAddress(fields.firstDevice) ?? firstD
      const { transport } = fields
      const route = { network: number('network'), pc: number('pcNumber'), station: number('station') }
      const settings = { transport, start, route }
      return {
        port: number('slmpPort'),
        // The first character is in the low half of a word, as the low word is first.
        map: { order: 'CDAB', textOrder: 'first-low', notation: slmpNotation(start) },
        program: 'slmp',
        open: (address, options, map, events) =>
          openClientPort({ protocol: slmpProtocol(settings), ...address, ...options }, map, events),
        serve: (address) => slmpPlcServer({ ...address, start, transport }),
        test: (address, map, signal) => trySlmp(settings, address, map, signal),
      }
    }
    default:
      return undefined
  }
}

/** Slots of CPUs in rack 0. */
const slots = { '1200-1500': 1, '300': 2, '400': 3 } as const

/** TSAPs that a LOGO! has in the S7 connection of its examples. */
const ofLogo = { local: 0x0300, remote: 0x0200 } as const

function tsapsOf(fields: PlcHandshakeFields): { local: number; remote: number } {
  const { cpu, localTsap, remoteTsap } = fields
  if (cpu === 'logo')
    return { local: tsapIn(localTsap) ?? ofLogo.local, remote: tsapIn(remoteTsap) ?? ofLogo.remote }
  const rack = numberOf(plcHandshakeNode, fields, 'rack') ?? 0
  const slot = numberOf(plcHandshakeNode, fields, 'slot') ?? slots[cpu]
  return { local: 0x0100, remote: tsapOf(rack, slot) }
}

const tsapIn = (text: string): number | undefined =>
  text.trim() === '' ? undefined : Number.parseInt(text.trim().replace('.', ''), 16)
