import type { Client, ClientOptions, createClient } from '../../lib'
import type { OperationId } from '../../lib/contract'
import { loadContract } from '../shared/load-later'
import { KnownNodes } from './known-nodes'
import { onOwnNode } from './on-own-node'

/** Milliseconds; short, because somebody is waiting at a dialog. */
const longest = { read: 4000, connecting: 3000 }
const atOnce = 2
/** Requests of dialogs and sidebar that may wait for their turn. */
const room = 200

interface InspectionOptions {
  signal: AbortSignal
  /** Milliseconds. @default that of the settings, for reads at most 4000 */
  deadline?: number | undefined
}

/** A device as used by the editor, over its own connections, so that dialogs cannot delay the calls of the flow. */
export class Inspection {
  readonly client: Client
  readonly #nodes: KnownNodes
  readonly #deadlines: { read: number; call: number }

  /** @throws INVALID_INPUT for invalid options */
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

  /** Executes an operation, using the device's own name of a node. */
  ask(id: OperationId, input: object, { signal, deadline }: InspectionOptions): Promise<unknown> {
    const { operation } = loadContract()
    const { method } = operation(id)
    const within = deadline ?? (method === 'GET' ? this.#deadlines.read : this.#deadlines.call)
    const request = (which: OperationId, given: object) =>
      this.client.request(which, given, { deadline: within, signal, waitForDevice: false })

    return onOwnNode((asked, call) => this.#nodes.call(asked, call), { id, input, signal }, request)
  }

  close(): Promise<void> {
    return this.client.close()
  }
}
