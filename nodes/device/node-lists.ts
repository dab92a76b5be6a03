import type { Client } from '../../lib'
import type { NodeInfo } from '../../lib/contract'

/** The nodes of a device with the names of their parameters and services, asked for once per connection. */
export class NodeLists {
  readonly #client: Client
  readonly #lists = new Map<string, Promise<readonly NodeInfo[]>>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#lists.clear()
  }

  inPipeline(pipeline: string): Promise<readonly NodeInfo[]> {
    return this.#once(pipeline, () => this.#client.listNodes({ pipeline }))
  }

  global(): Promise<readonly NodeInfo[]> {
    return this.#once('', () => this.#client.listGlobalNodes())
  }

  /** All who ask wait for the same answer; a failure is not kept. */
  #once(key: string, ask: () => Promise<readonly NodeInfo[]>): Promise<readonly NodeInfo[]> {
    const known = this.#lists.get(key)
    if (known) return known
    const asked = ask()
    this.#lists.set(key, asked)
    asked.catch(() => {
      if (this.#lists.get(key) === asked) this.#lists.delete(key)
    })
    return asked
  }
}
