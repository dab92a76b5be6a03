import type { Client, ClientOptions, createClient } from '../../../lib'
import type { OperationId } from '../../../lib/contract'
import { inPipeline } from '../../shared/in-pipeline'
import { KnownNodes, type Target } from '../known-nodes'
import { loadContract } from './load-later'

/** Milliseconds. Somebody waits in front of a dialog. */
const longest = { read: 4000, connecting: 3000 }
const atOnce = 2
/** Requests of dialogs and sidebar that may wait for their turn. */
const room = 200

interface Asking {
  signal: AbortSignal
  /** Milliseconds. @default that of the settings, for reads at most 4000 */
  deadline?: number | undefined
}

/** A device as the editor sees it: by connections of its own, so that dialogs cannot hold up the calls of the flow. */
export class Inspection {
  readonly client: Client
  readonly #nodes: KnownNodes
  readonly #deadlines: { read: number; call: number }

  /** @throws INVALID_INPUT where the options make no sense */
  constructor(create: typeof createClient, options: ClientOptions) {
    const { deadline = longest.read, connectDeadline = longest.connecting, concurrency = atOnce } = options
    this.client = create({
      ...options,
      connectDeadline: Math.min(connectDeadline, longest.connecting),
      concurrency: Math.min(concurrency, atOnce),
      queue: room,
      retries: 1,
    })
    this.#deadlines = { read: Math.min(deadline, longest.read), call: deadline }
    this.#nodes = new KnownNodes(this.client)
  }

  /** Does an operation, on a node by the device's own name for it. */
  ask(id: OperationId, input: object, { signal, deadline }: Asking): Promise<unknown> {
    const { operation } = loadContract()
    const { method, path } = operation(id)
    const within = deadline ?? (method === 'GET' ? this.#deadlines.read : this.#deadlines.call)
    const request = (which: OperationId, given: object) =>
      this.client.request(which, given, { deadline: within, signal })

    const { pipeline = '', node, ...others } = input as Record<string, unknown>
    const inPipelines = path.startsWith('/pipelines/')
    if (!/\/nodes\/\{node\}/.test(path) || typeof pipeline !== 'string' || typeof node !== 'string')
      return request(id, input)
    return this.#nodes.call({ pipeline, node, signal }, (target) =>
      inPipelines && target.scope === 'pipeline'
        ? request(id, { ...input, node: target.node })
        : request(inPipelines ? globalTwin(id, target) : id, { ...others, node: target.node }),
    )
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

/** The operation that does the same for a global node. @throws INVALID_INPUT where these have none */
function globalTwin(id: OperationId, target: Target): OperationId {
  const { operation, operationIds } = loadContract()
  const { method, path } = operation(id)
  const globalPath = path.replace('/pipelines/{pipeline}', '')
  const twin = operationIds.find((other) => {
    const { method: itsMethod, path: itsPath } = operation(other)
    return itsMethod === method && itsPath === globalPath
  })
  if (!twin) inPipeline(target)
  return twin ?? id
}
