import { randomBytes } from 'node:crypto'

/** The property of a message that says which cycle it belongs to. */
export interface HandshakeOfMessage {
  /** Id of the configuration node. */
  node: string
  /** Cannot be made up: 128 random bits, as text. */
  token: string
}

export const newToken = (): string => randomBytes(16).toString('base64url')

/** The token of a PLC's handshake in a message; undefined where it has none. */
export const tokenOf = (message: unknown): string | undefined => tokenIn(message, 'handshake')

/** The tokens of all cycles that a message belongs to: a PLC's, and a robot's. */
export const tokensOf = (message: unknown): string[] =>
  (['handshake', 'robot'] as const).flatMap((property) => tokenIn(message, property) ?? [])

function tokenIn(message: unknown, property: 'handshake' | 'robot'): string | undefined {
  const { [property]: cycle } = Object(message) as Partial<Record<string, unknown>>
  const { token } = Object(cycle) as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}
