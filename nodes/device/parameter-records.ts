import type { Client } from '../../lib'
import type { Parameter } from '../../lib/contract'
import { SharedWork } from '../shared/shared-work'

type Records = ReadonlyMap<string, Parameter>

/** The device's parameter records: type, limits and choices, which are constant while it runs. */
export class ParameterRecords {
  readonly #client: Client
  #known = new Map<string, Records>()
  readonly #lookUps = new SharedWork<Records>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#known = new Map()
    this.#lookUps.forget()
  }

  known({ pipeline, node }: { pipeline: string; node: string }): Records | undefined {
    return this.#known.get(`${pipeline} ${node}`)
  }

  /** Queries the device; one look-up serves all who wait for it. */
  ask(target: { pipeline: string; node: string }, signal: AbortSignal): Promise<Records> {
    const key = `${target.pipeline} ${target.node}`
    return this.#lookUps.join(key, signal, async (ending) => {
      const known = this.#known
      const records = await this.#client.getParameters(target, { signal: ending })
      const byName = new Map(records.map((record) => [record.name, record]))
      known.set(key, byName)
      return byName
    })
  }
}
