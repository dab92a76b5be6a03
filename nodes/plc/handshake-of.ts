import { randomUUID } from 'node:crypto'
import type { Node, NodeAPI } from 'node-red'
import { type CodeName, type CodeTable, defaultCodes, isReturnCode } from '../../lib/plc/codes'
import type { PlcCell } from '../../lib/plc/handshake/cell'
import type { DurationSummary } from '../../lib/plc/handshake/figures'
import type { PortFigures } from '../../lib/plc/handshake/ports'
import { sentencesOf } from '../sentences'
import type { DeployedHandshake } from './deployed-handshake'

/** The handshake of a config node; undefined where it is missing or disabled. */
export function handshakeOf(RED: NodeAPI, id: string): DeployedHandshake | undefined {
  const node = RED.nodes.getNode(id) as (Node & { handshake: DeployedHandshake }) | null | undefined
  return node?.type === 'vision-plc-handshake' ? node.handshake : undefined
}

/** `up`: the PLC has taken part lately. `unused`: no trigger node works with it, so that nothing is connected. */
export type HandshakeLink = 'up' | 'down' | 'unused'

export const linkOf = (handshake: { cell: PlcCell | undefined; isUsed: boolean }): HandshakeLink =>
  handshake.cell?.isUp && handshake.cell.isHeard ? 'up' : handshake.isUsed ? 'down' : 'unused'

const { say } = sentencesOf('plc')

/** Return code of a service that is not possible in the present state of the device. */
const notNow = -8

const isKnown = (name: string): name is CodeName => Object.hasOwn(defaultCodes, name)

/** What a result code means, in a few words for people. */
export function meaningOf(code: number, codes: CodeTable = defaultCodes): string {
  const name = Object.keys(codes).find((each) => codes[each] === code)
  if (name === undefined) return ofDevice(code) ?? say('plc-meaning-own')
  if (isKnown(name)) return say(`plc-meaning-${name}`)
  return (isReturnCode(name) && ofDevice(Number(name))) || name
}

/** Of a code that the device refuses with. */
function ofDevice(code: number): string | undefined {
  if (code === notNow) return say('plc-meaning-present-state')
  return code < 0 ? say('plc-meaning-refused') : undefined
}

/** How long a handshake takes, milliseconds. */
export interface HandshakeTimes {
  /** From the trigger to the message to the flow. */
  reactions?: DurationSummary
  /** From the message to the flow to the answer. */
  cycles?: DurationSummary
  /** Where the PLC is polled. A pulse under `shortestPulse` may be missed. */
  poll?: NonNullable<PortFigures['poll']> & { shortestPulse?: number }
}

/** Milliseconds for which times are good enough for messages: each summary sorts a thousand numbers. */
const fresh = 1000

const known = new WeakMap<PlcCell, { at: number; times: HandshakeTimes }>()

/** The times of a cell for its messages, at most a second old. */
export function timesOf(cell: PlcCell | undefined): HandshakeTimes {
  if (!cell) return {}
  const before = known.get(cell)
  const now = performance.now()
  if (before && now < before.at + fresh) return before.times
  const times = timesNow(cell)
  known.set(cell, { at: now, times })
  return times
}

export function timesNow({ figures, port }: PlcCell): HandshakeTimes {
  const reactions = figures.reactions.summary
  const cycles = figures.cycles.summary
  const poll = port?.figures.poll
  const longest = poll?.longest
  const seen = longest === undefined ? {} : { shortestPulse: Math.ceil(longest) }
  return {
    ...(reactions && { reactions }),
    ...(cycles && { cycles }),
    ...(poll && { poll: { ...poll, ...seen } }),
  }
}

/** The properties of a message by which pairs of nodes know their cycle: a PLC's, and a robot's. */
const pairs = ['handshake', 'robot'] as const

/** The cycle that a message belongs to. */
export interface CycleOfMessage {
  /** Id of the configuration node. */
  node: string
  /** Cannot be made up: 122 random bits, as text. */
  token: string
}

export const newToken = (): string => randomUUID()

/** The cycle of a pair of nodes in a message; undefined where it has none. */
export function cycleOf(message: unknown, pair: (typeof pairs)[number]): CycleOfMessage | undefined {
  const { [pair]: cycle } = Object(message) as Partial<Record<string, unknown>>
  const { node, token } = Object(cycle) as Partial<Record<keyof CycleOfMessage, unknown>>
  return typeof node === 'string' && typeof token === 'string' ? { node, token } : undefined
}

/** The tokens of all cycles that a message belongs to. */
export const tokensOf = (message: unknown): string[] =>
  pairs.flatMap((pair) => cycleOf(message, pair)?.token ?? [])

/** The error that a Catch node has taken, as it passes it on in `msg.error`. */
export interface CaughtError {
  error: unknown
  /** Id of the node that reported it. */
  id: string
  /** How often that node has reported an error for this message. */
  count: number
}

/** The error in a message that comes from a Catch node; undefined where there is none. */
export function caughtIn(msg: object): CaughtError | undefined {
  const { error } = msg as { error?: unknown }
  const { source } = Object(error) as { source?: unknown }
  const { id, count = 1 } = Object(source) as { id?: unknown; count?: unknown }
  return typeof id === 'string' && typeof count === 'number' ? { error, id, count } : undefined
}
