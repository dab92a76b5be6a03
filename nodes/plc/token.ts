import { randomUUID } from 'node:crypto'

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
