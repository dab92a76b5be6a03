import { randomBytes } from 'node:crypto'

/** The property of a message that says which cycle it belongs to. */
export interface HandshakeOfMessage {
  /** Id of the configuration node. */
  node: string
  /** Cannot be made up: 128 random bits, as text. */
  token: string
}

export const newToken = (): string => randomBytes(16).toString('base64url')

/** The token in a message; undefined where it has none. */
export function tokenOf(message: unknown): string | undefined {
  const { handshake } = Object(message) as { handshake?: unknown }
  const { token } = Object(handshake) as { token?: unknown }
  return typeof token === 'string' ? token : undefined
}
