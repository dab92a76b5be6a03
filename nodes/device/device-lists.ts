import type { Client } from '../../lib'
import type { NodeInfo } from '../../lib/contract'
import { codeOf } from '../shared/node-error'

/**
 * The nodes of a device with their parameters and services, and its streams, by name; requested once per connection.
 */
export class DeviceLists {
  readonly #client: Client
  readonly #nodes = new Map<string, Promise<readonly NodeInfo[]>>()
  readonly #streams = new Map<'', Promise<readonly string[]>>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#nodes.clear()
    this.#streams.clear()
  }

  inPipeline(pipeline: string): Promise<readonly NodeInfo[]> {
    return once(this.#nodes, pipeline, () => this.#client.listNodes({ pipeline }))
  }

  global(): Promise<readonly NodeInfo[]> {
    return once(this.#nodes, '', () => this.#client.listGlobalNodes())
  }

  /** Empty for a device without streams. */
  streams(): Promise<readonly string[]> {
    return once(this.#streams, '', () => this.#client.listStreams().then(namesOf, noneWhereNotFound))
  }
}

const namesOf = (records: readonly { name: string }[]) => records.map(({ name }) => name)

function noneWhereNotFound(error: unknown): [] {
  if (codeOf(error) === 'NOT_FOUND') return []
  throw error
}

/** All callers wait for the same answer; a failure is not kept. */
function once<Key, Answer>(
  known: Map<Key, Promise<Answer>>,
  key: Key,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const before = known.get(key)
  if (before) return before
  const asked = ask()
  known.set(key, asked)
  asked.catch(() => {
    if (known.get(key) === asked) known.delete(key)
  })
  return asked
}
