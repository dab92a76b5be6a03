import type { Client } from '../../lib'
import type { NodeInfo } from '../../lib/contract'
import { causeOf, codeOf } from '../shared/node-error'
import { SharedWork } from '../shared/shared-work'
import { ownName } from './own-name'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('device')

/** A node as an operation addresses it. */
export type Target = { scope: 'pipeline'; pipeline: string; node: string } | { scope: 'global'; node: string }

/** The target of an operation that global nodes lack: they have no parameters. */
export function inPipeline(target: Target): { pipeline: string; node: string } {
  if (target.scope === 'pipeline') return { pipeline: target.pipeline, node: target.node }
  throw invalidInput('no-parameters', { node: target.node })
}

/** A node as named in a flow. An empty pipeline means a global node. */
export interface NodeQuery {
  pipeline: string
  node: string
  signal: AbortSignal
}

interface Names {
  pipeline: string[]
  global: string[]
  /** Time of the request, ms. */
  since: number
}

/** Names younger than this, in ms, are not requested again, however often a flow uses a wrong name. */
const fresh = 1000

/**
 * Resolves the node names of a flow. A name is first used as it is, so that a known node costs no request; only if the
 * device has no such node are its names requested, once per connection.
 */
export class KnownNodes {
  readonly #client: Client
  readonly #targets = new Map<string, Target>()
  #names = new Map<string, Names>()
  readonly #lookUps = new SharedWork<Names>()

  constructor(client: Client) {
    this.#client = client
  }

  /** After a reconnect it may be another device. */
  forget(): void {
    this.#targets.clear()
    // A look-up in progress may be for the previous device: its names go into the old map.
    this.#names = new Map()
    this.#lookUps.forget()
  }

  /** Calls with the device's own name of the node. */
  async call<Answer>(asked: NodeQuery, call: (target: Target) => Promise<Answer>): Promise<Answer> {
    const { pipeline, node } = asked
    const target = this.#targets.get(`${pipeline} ${node}`) ?? asGiven(pipeline, node)
    try {
      return await call(target)
    } catch (error) {
      // NOT_FOUND means that nothing was executed, so even a service can be called again.
      if (codeOf(error) !== 'NOT_FOUND') throw error
      return call(await this.#own(asked, target, error))
    }
  }

  /** The target to try instead, or the error to end with. */
  async #own(asked: NodeQuery, tried: Target, error: unknown): Promise<Target> {
    const { pipeline, node } = asked
    let names = this.#names.get(pipeline) ?? (await this.#ask(asked, error))
    let own = find(names, asked)
    if ((!own || same(own, tried)) && performance.now() - names.since > fresh) {
      // The known names may be out of date.
      names = await this.#ask(asked, error)
      own = find(names, asked)
    }
    if (!own) {
      const known = [...names.pipeline, ...names.global].join(', ')
      throw nodeError(
        'NOT_FOUND',
        pipeline ? 'unknown-node' : 'unknown-global-node',
        { node, pipeline, known, device: this.#client.name },
        causeOf(error),
      )
    }
    if (same(own, tried)) throw error
    this.#targets.set(`${pipeline} ${node}`, own)
    return own
  }

  /** Requests the names; one look-up serves all who wait for it. @throws the error to end with */
  async #ask({ pipeline, signal }: NodeQuery, error: unknown): Promise<Names> {
    try {
      return await this.#lookUps.join(pipeline, signal, (ending) => this.#lookUp(pipeline, ending))
    } catch (problem) {
      throw codeOf(problem) === 'ABORTED' ? problem : error
    }
  }

  async #lookUp(pipeline: string, signal: AbortSignal): Promise<Names> {
    const known = this.#names
    const [inPipeline, global] = await Promise.all([
      pipeline ? this.#client.listNodes({ pipeline }, { signal }) : [],
      this.#client.listGlobalNodes({ signal }),
    ])
    const names = { pipeline: inPipeline.map(nameOf), global: global.map(nameOf), since: performance.now() }
    known.set(pipeline, names)
    return names
  }
}

const nameOf = ({ name }: NodeInfo) => name

const asGiven = (pipeline: string, node: string): Target =>
  pipeline ? { scope: 'pipeline', pipeline, node } : { scope: 'global', node }

function find(names: Names, { pipeline, node }: NodeQuery): Target | undefined {
  const own = ownName(node, [...names.pipeline, ...names.global])
  if (own === undefined) return undefined
  return names.pipeline.includes(own) ? asGiven(pipeline, own) : asGiven('', own)
}

const same = (one: Target, other: Target) => one.scope === other.scope && one.node === other.node
