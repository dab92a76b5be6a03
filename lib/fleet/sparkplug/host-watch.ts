import type { HostState } from './host-state'

/** Whether the primary host is there, as far as this connection has heard. */
export class HostWatch {
  readonly #isNeeded: boolean
  #isOnline = false
  /** Of the newest message that counted. */
  #timestamp = -Infinity

  /** @param isNeeded whether there is a primary host */
  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded
  }

  /** Whether births may be published. */
  get isOnline(): boolean {
    return !this.#isNeeded || this.#isOnline
  }

  /** A new connection: the broker has to say anew whether the host is there. */
  forget(): void {
    this.#isOnline = false
    this.#timestamp = -Infinity
  }

  /** @returns `gone` where it was there before and is no longer */
  hear({ online, timestamp = this.#timestamp }: HostState): 'gone' | undefined {
    // The last will of an old connection of the host may come after the host is back.
    if (timestamp < this.#timestamp) return undefined
    this.#timestamp = timestamp
    const isGone = this.#isOnline && !online
    this.#isOnline = online
    return isGone ? 'gone' : undefined
  }
}
