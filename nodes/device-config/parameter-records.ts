import type { Client } from '../../lib'
import type { Parameter } from '../../lib/contract'

type Records = ReadonlyMap<string, Parameter>

/** What the device says about its parameters: type, limits and choices, which stay as they are while it runs. */
export class ParameterRecords {
  readonly #client: Client
  readonly #known = new Map<string, Records>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#known.clear()
  }

  known({ pipeline, node }: { pipeline: string; node: string }): Records | undefined {
    return this.#known.get(`${pipeline} ${node}`)
  }

  async ask(target: { pipeline: string; node: string }, signal: AbortSignal): Promise<Records> {
    const records = await this.#client.getParameters(target, { signal })
    const byName = new Map(records.map((record) => [record.name, record]))
    this.#known.set(`${target.pipeline} ${target.node}`, byName)
    return byName
  }
}
