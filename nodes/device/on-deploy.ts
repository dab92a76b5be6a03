/** Nodes that work from the deploy on, without messages. */
import type { Node, NodeAPI } from 'node-red'
import type { Connection } from './connection'
import type { FixedNames } from './known-nodes'
import { fieldsOfMessage, type FieldValues, type TypedName } from '../shared/read-fields'
import { asSentence, invalidInput, nodeError } from '../shared/sentences'
import { deliver, whenStarted } from '../shared/handle-input'
import { onDevice } from './on-input'
import { NodeAnswer, type Properties, type OutcomeSummary } from '../shared/outcome'
import { codeOf, inOurLanguage } from '../shared/node-error'
import type { LinkState, StatusWord } from '../shared/status'
import { VisionError } from '../../lib/client/vision-error'

export interface DeployedWork<Name extends string> extends FieldValues<Name> {
  device: Connection
  /** Aborted when the node closes. */
  signal: AbortSignal
  /** @param output from 0 */
  emit: (output: number, properties: Properties, summary: OutcomeSummary) => void
  /** Progress instead of the state of the connection. */
  show: (word: StatusWord, count?: number) => void
  showLink: () => void
  onLink: (listener: (state: LinkState) => void) => void
}

/**
 * Runs the body from deploy to close; it ends when its signal is aborted, and earlier errors go to Catch.
 * @param names always used by the node; its status shows the missing ones
 */
export function onDeploy<Fields extends { device: string }>(
  RED: NodeAPI,
  node: Node,
  fields: Fields,
  body: (work: DeployedWork<TypedName<Fields>>) => Promise<void>,
  names?: FixedNames,
): void {
  const listeners: ((state: LinkState) => void)[] = []
  const { device, status, leave } = onDevice(RED, node, fields, names, (state) => {
    for (const listener of listeners) listener(state)
  })

  const closing = new AbortController()
  const { signal } = closing
  const work = run().catch((error: unknown) => {
    if (signal.aborted) return
    // Stays until the next deploy; the connection state does not replace it.
    status.background(codeOf(error) ?? 'failed')
    node.error(asSentence(error), {})
  })

  async function run() {
    await started(RED, signal)
    if (!device) throw invalidInput('no-device')
    const { read, text, name } = await fieldsOfMessage(RED, node, fields)({})
    await body({
      device: device.connection,
      signal,
      read,
      text,
      name,
      emit: (output, properties, summary) => {
        if (!signal.aborted)
          deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer(properties, summary, output), 0)
      },
      show: (word, count = 0) => status.background(word, count),
      showLink: () => status.background(),
      onLink: (listener) => {
        listeners.push(listener)
      },
    })
  }

  node.on('close', (done: (error?: Error) => void) => {
    closing.abort()
    work.then(leave).then(() => done(), done)
  })
}

/** Rejects if the node closes first. */
const started = (RED: NodeAPI, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = whenStarted(RED, resolve)
    signal.addEventListener('abort', () => {
      cancel()
      reject(nodeError('ABORTED', 'node-closed'))
    })
  })

/** Reported by the connection once for all nodes. */
const ofLink = ['UNREACHABLE', 'TIMEOUT', 'OUTCOME_UNKNOWN', 'STARTING']

/** Reports each reason once, as a status and to Catch or the log. */
interface TroubleLog {
  failed: (error: unknown) => void
  /** Status of an unlisted destination; none if listed, or if the connection is the reason. */
  listed: (error: unknown) => StatusWord | undefined
}

export function trouble(
  node: Node,
  device: Connection,
  { show, showLink }: Pick<DeployedWork<never>, 'show' | 'showLink'>,
): TroubleLog {
  let reported: string | undefined

  /** None if the connection reports it. */
  const statusFor = (error: unknown): StatusWord | undefined => {
    const code = codeOf(error)
    if (error instanceof VisionError && error.operation && ofLink.includes(error.code)) {
      device.link.hint(error)
      return undefined
    }
    const reason = error instanceof VisionError ? error.message : 'failed'
    if (reason !== reported) node.error(asSentence(inOurLanguage(error)), {})
    reported = reason
    return error instanceof VisionError && error.key === 'stream-full'
      ? 'destinationsFull'
      : (code ?? 'failed')
  }
  return {
    failed: (error) => {
      const shown = statusFor(error)
      if (shown) show(shown)
      else showLink()
    },
    listed: (error) => {
      if (error !== undefined) return statusFor(error)
      reported = undefined
      return undefined
    },
  }
}
