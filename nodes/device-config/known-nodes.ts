import type { Client } from '../../lib'
import type { NodeInfo } from '../../lib/contract'
import { causeOf, codeOf, nodeError } from '../shared/node-error'
import { ownName } from './own-name'

/** A node as an operation addresses it. */
export type Target = { scope: 'pipeline'; pipeline: string; node: string } | { scope: 'global'; node: string }

interface Names {
  pipeline: string[]
  global: string[]
  /** When they were asked for, ms. */
  since: number
}

/** Names younger than this in ms are not asked for again, however often a flow uses a wrong name. */
const fresh = 1000

/**
 * Finds nodes by the names that a flow uses. A name is first taken as it is, so that a known node costs no request;
 * only where the device has no such node are its names asked for, once per connection.
 */
export class KnownNodes {
  readonly #client: Client
  readonly #targets = new Map<string, Target>()
  readonly #names = new Map<string, Promise<Names>>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#targets.clear()
    this.#names.clear()
  }

  /** Calls with the device's own name for the node. An empty pipeline means a global node. */
  async call<Answer>(
    pipeline: string,
    node: string,
    call: (target: Target) => Promise<Answer>,
  ): Promise<Answer> {
    const key = `${pipeline} ${node}`
    const target = this.#targets.get(key) ?? asGiven(pipeline, node)
    try {
      return await call(target)
    } catch (error) {
      if (codeOf(error) !== 'NOT_FOUND') throw error
      const own = await this.#own(pipeline, node, target, error)
      const answer = await call(own)
      this.#targets.set(key, own)
      return answer
    }
  }

  /** The target to try instead, or the error to end with. */
  async #own(pipeline: string, node: string, tried: Target, error: unknown): Promise<Target> {
    let names = await this.#namesOf(pipeline, error)
    let own = find(names, pipeline, node)
    if ((!own || same(own, tried)) && Date.now() - names.since > fresh) {
      this.#names.delete(pipeline)
      names = await this.#namesOf(pipeline, error)
      own = find(names, pipeline, node)
    }
    if (!own) {
      const known = [...names.pipeline, ...names.global].join(', ')
      throw nodeError(
        'NOT_FOUND',
        pipeline ? 'unknown-node' : 'unknown-global-node',
        { node, pipeline, known },
        causeOf(error),
      )
    }
    if (same(own, tried)) throw error
    return own
  }

  #namesOf(pipeline: string, error: unknown): Promise<Names> {
    const known = this.#names.get(pipeline)
    if (known) return known
    const asked = this.#ask(pipeline).catch(() => {
      this.#names.delete(pipeline)
      throw error
    })
    this.#names.set(pipeline, asked)
    return asked
  }

  async #ask(pipeline: string): Promise<Names> {
    const [inPipeline, global] = await Promise.all([
      pipeline ? this.#client.listNodes({ pipeline }) : [],
      this.#client.listGlobalNodes(),
    ])
    return { pipeline: inPipeline.map(nameOf), global: global.map(nameOf), since: Date.now() }
  }
}

const nameOf = ({ name }: NodeInfo) => name

const asGiven = (pipeline: string, node: string): Target =>
  pipeline ? { scope: 'pipeline', pipeline, node } : { scope: 'global', node }

function find(names: Names, pipeline: string, node: string): Target | undefined {
  const own = ownName(node, [...names.pipeline, ...names.global])
  if (own === undefined) return undefined
  return names.pipeline.includes(own) ? asGiven(pipeline, own) : asGiven('', own)
}

const same = (one: Target, other: Target) => one.scope === other.scope && one.node === other.node
