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
