/** How a message was taken. */
export type Heard = 'reading' | 'status' | 'foreign' | 'kept'

/** Most messages that are kept for a connection that is still being opened. */
const mostKept = 100

/**
 * Where messages of the reader come in and messages for the writer go out: between a connection that takes them and the
 * node that stands in the flow. Either may be there first, or be replaced by a deploy.
 */
export class MessageLink {
  /** The last value that was heard of each name: a reader that tells changes alone does not repeat it after a deploy. */
  readonly values = new Map<string, unknown>()
  readonly #kept: object[] = []
  #hear: ((message: object) => Heard) | undefined
  #send: ((message: object) => void) | undefined

  /** For the node. @returns leaves again; undefined where another is there */
  join(send: (message: object) => void): (() => void) | undefined {
    if (this.#send) return undefined
    this.#send = send
    return () => {
      if (this.#send === send) this.#send = undefined
    }
  }

  /** For the connection. @returns what has come before it, the oldest first */
  attach(hear: (message: object) => Heard): object[] {
    this.#hear = hear
    return this.#kept.splice(0)
  }

  /** The connection leaves again. */
  detach(hear: (message: object) => Heard): void {
    if (this.#hear === hear) this.#hear = undefined
  }

  /** A message of the reader, or the status of its node. */
  hear(message: object): Heard {
    if (this.#hear) return this.#hear(message)
    this.#kept.push(message)
    if (this.#kept.length > mostKept) this.#kept.shift()
    return 'kept'
  }

  /** @returns false where no node is there */
  send(message: object): boolean {
    this.#send?.(message)
    return this.#send !== undefined
  }
}
