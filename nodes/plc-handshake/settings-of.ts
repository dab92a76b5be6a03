import type { Node, NodeAPI } from 'node-red'
import { codeTable, type CodeTable, faultsOfCodes } from '../../lib/plc/codes'
import { type MapLine, openMap, type PlcMap } from '../../lib/plc/data'
import { type NotedLine, placedLine } from '../../lib/plc/data/map'
import type { MapBlock } from '../../lib/plc/data/open-map'
import { families } from '../../lib/plc/families'
import { openMessagePort, openServerPort, type PlcPort } from '../../lib/plc/handshake/ports'
import {
  type MessageLink,
  type MessageProtocol,
  type MessageProtocolId,
  messageProtocols,
  presetLines,
} from '../../lib/plc/messages'
import type { HandshakeSettings } from '../plc/deployed-handshake'
import { sentencesOf } from '../sentences'
import { numberOf } from '../shared/fields/checked-fields'
import { isObject } from '../shared/is-object'
import { poseFormatName } from '../shared/poses'
import { environmentText } from '../shared/read-fields'
import { type PlcHandshakeFields, plcHandshakeNode } from './fields'
import { polledPlc } from './polled-plc'

const { invalidInput } = sentencesOf('plc')

/** A configuration as the handshake needs it. @throws INVALID_INPUT naming the field */
export function settingsOf(
  RED: NodeAPI,
  node: Node,
  fields: PlcHandshakeFields,
  messages: MessageLink,
): HandshakeSettings {
  const number = (name: NumberField) => numberOf(plcHandshakeNode, fields, name)
  const text = (name: 'listen' | 'allow' | 'host') => environmentText(RED, node, name, fields[name]).trim()
  const family = families[fields.family]
  const plcMap = mapOf(fields)
  const map = openMap(plcMap)

  const unit = number('unitId')
  const allow = text('allow')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const protocol = protocolOf(fields.connection)
  const polled = polledPlc(fields)
  const openPort: HandshakeSettings['openPort'] = protocol
    ? (events) =>
        openMessagePort(
          {
            protocol,
            link: messages,
            request: family.request,
            silent: number('silentAfter') * 1000,
            interval: number('poll'),
          },
          map,
          events,
        )
    : fields.connection === 'server'
      ? async (events, known) => {
          const [host, port] = [text('listen'), number('port')]
          const release = claimServer(node, { host, port, unit, blocks: map.blocks })
          try {
            const options = { host, port, unit, request: family.request, ...(allow.length > 0 && { allow }) }
            return withRelease(await openServerPort(options, map, events, known), release)
          } catch (error) {
            release()
            throw error
          }
        }
      : (events) => {
          if (!polled) throw invalidInput('plc-missing')
          const options = { interval: number('poll'), deadline: number('answerWithin') }
          return polled.open({ host: text('host'), port: polled.port }, options, map, events)
        }
  return {
    family,
    map,
    plcMap,
    codes: codesIn(fields.codes),
    openPort,
    deadline: number('deadline') * 1000,
    minimumDone: numberOf(plcHandshakeNode, fields, 'minimumDone') ?? family.minimumDone,
    release: number('releaseWithin') * 1000,
    plcLife: number('plcLifeWithin') * 1000,
    onDrop: fields.onDrop,
    whileBusy: fields.whileBusy || family.whileBusy,
    virtualPlc: () => {
      const program = { family, map, order: plcMap.order ?? 'ABCD' }
      if (fields.connection === 'server')
        return { ...program, host: reachable(text('listen')), port: number('port'), unit }
      if (!polled) throw invalidInput('plc-virtual-needs-polling')
      const address = { host: ownHost(text('host')), port: polled.port }
      return { ...program, ...address, serve: polled.serve(address) }
    },
  }
}

/** A port that gives back what it has reserved when it is closed. */
const withRelease = (port: PlcPort, release: () => void): PlcPort => ({
  write: (outputs, all) => port.write(outputs, all),
  isPolled: port.isPolled,
  isOwn: port.isOwn,
  get figures() {
    return port.figures
  },
  close: () => port.close().finally(release),
})

type NumberField =
  | 'port'
  | 'hostPort'
  | 'poll'
  | 'silentAfter'
  | 'deadline'
  | 'releaseWithin'
  | 'plcLifeWithin'
  | 'unitId'
  | 'answerWithin'

/** How the nodes of others speak that a handshake is connected by; undefined for a connection of our own. */
export const protocolOf = (connection: string): MessageProtocol | undefined =>
  Object.hasOwn(messageProtocols, connection) ? messageProtocols[connection as MessageProtocolId] : undefined

type MapFields = Pick<PlcHandshakeFields, 'connection' | 'family' | 'map' | 'prefix'>

/** The register map as the dialog has it. @throws INVALID_INPUT */
export function mapOf(fields: PlcHandshakeFields): PlcMap {
  const polled = polledPlc(fields)
  const notation = polled?.map.notation
  // Addresses of its own begin where the PLC says.
  const offset = notation ? 0 : numberOf(plcHandshakeNode, fields, 'offset')
  const own = ownLinesOf(fields)?.map((line) => placedLine(line, notation))
  const lines = own ?? familyLinesOf(fields)
  const pose = { format: poseFormatName(fields.poseFormat, fields.poseFormatCustom) }
  if (protocolOf(fields.connection)?.by === 'name') return { by: 'name', lines, pose }
  return {
    order: fields.order,
    ...polled?.map,
    lines: lines.map((line) => (isShiftable(line) ? { ...line, address: offset + line.address } : line)),
    pose,
    // A register that a map of one's own leaves out may be the PLC's.
    ...(own && { reserve: 0 }),
  }
}

/** The lines of the handshake as it is chosen, from the first register of the map. */
export function familyLinesOf({
  connection,
  family,
  prefix,
}: Pick<MapFields, 'connection' | 'family' | 'prefix'>): readonly MapLine[] {
  const protocol = protocolOf(connection)
  return protocol?.by === 'name'
    ? presetLines(families[family], protocol, prefix.trim() || undefined)
    : families[family].map
}

/** A line that has none is a fault, which the map reports. */
const isShiftable = (line: Partial<MapLine>): line is MapLine & { address: number } =>
  typeof line.address === 'number'

/** Most lines of a map: more than any PLC has words for a cell. */
const mostLines = 1000

/** The lines of a map of one's own; undefined where there is none. @throws INVALID_INPUT */
export function ownLinesOf({ map: text }: Pick<MapFields, 'map'>): NotedLine[] | undefined {
  if (text.trim() === '') return undefined
  const lines = jsonIn('map', text)
  if (!Array.isArray(lines) || lines.some((line) => !isObject(line))) throw invalidInput('plc-not-lines')
  if (lines.length > mostLines) throw invalidInput('plc-many-lines', { most: mostLines })
  return lines.length > 0 ? (lines as NotedLine[]) : undefined
}

/** The table of result codes with those that were changed. @throws INVALID_INPUT */
export function codesIn(text: string): CodeTable {
  const table = codeTable(ownCodesIn(text))
  const [fault] = faultsOfCodes(table)
  if (fault) throw invalidInput('plc-codes', { name: fault.name })
  return table
}

/** The lines of the table that were changed or added. @throws INVALID_INPUT */
export function ownCodesIn(text: string): Partial<Record<string, number>> {
  if (text.trim() === '') return {}
  const value = jsonIn('codes', text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalidInput('plc-not-json', { field: 'codes' })
}

function jsonIn(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (problem) {
    throw invalidInput('plc-not-json', { field }, problem)
  }
}

/** An address of this computer, where a virtual PLC can be. @throws INVALID_INPUT: nothing beyond it can reach it there */
function ownHost(host: string): string {
  const own = host.toLowerCase() === 'localhost' ? '127.0.0.1' : host
  if (!/^(?:127(?:\.\d{1,3}){3}|::1)$/.test(own)) throw invalidInput('plc-virtual-elsewhere', { host })
  return own
}

/** Where this computer reaches what listens there. */
const reachable = (host: string) => (host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host)

/** What a handshake has of the servers of this Node-RED. */
interface ServerClaim {
  host: string
  port: number
  unit: number
  blocks: { registers: readonly MapBlock[]; coils: readonly MapBlock[] }
}

/** By the handshakes that opened them. */
const claims = new Map<Node, ServerClaim>()

const isAny = (host: string) => host === '0.0.0.0' || host === '::'

/**
 * Reserves registers and coils of a server. Handshakes on one address and port share it as long as no two of one unit have the
 * same registers: otherwise the second is told who has them.
 * @returns releases them @throws INVALID_INPUT
 */
function claimServer(node: Node, claim: ServerClaim): () => void {
  const { host, port, unit } = claim
  for (const [owner, taken] of claims) {
    if (owner.id === node.id || port === 0 || taken.port !== port) continue
    const names = { one: nameOf(node), other: nameOf(owner), port }
    if (taken.host !== host) {
      if (isAny(host) || isAny(taken.host)) throw invalidInput('plc-same-port', names)
      continue
    }
    const address = taken.unit === unit ? sharedAddress(claim.blocks, taken.blocks) : undefined
    if (address !== undefined) throw invalidInput('plc-same-registers', { ...names, unit, address })
  }
  claims.set(node, claim)
  return () => claims.delete(node)
}

/** The first register, or coil, that both have. */
function sharedAddress(one: ServerClaim['blocks'], other: ServerClaim['blocks']): number | undefined {
  const shared = (['registers', 'coils'] as const).flatMap((area) =>
    one[area].flatMap((block) =>
      other[area].flatMap((each) => {
        const first = Math.max(block.address, each.address)
        return first < Math.min(block.address + block.count, each.address + each.count) ? [first] : []
      }),
    ),
  )
  return shared.length ? Math.min(...shared) : undefined
}

const nameOf = ({ name, id }: Node) => name || id
