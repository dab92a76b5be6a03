import type { Node, NodeAPI, NodeMessage, NodeMessageInFlow } from 'node-red'
import type { Client } from '../../lib'
import type { CallOptions } from '../../lib/client/options'
import type { VisionError } from '../../lib/client/vision-error'
import type { OperationId } from '../../lib/contract'
import { Queue, type Turn } from '../../lib/kernel/queue'
import { Scope } from '../../lib/kernel/scope'
import { asSentence, withCode, invalidInput, nodeError, say } from './sentences'
import type { NodeWithInput } from './fields/description'
import { loadContract } from './load-later'
import { anyCodeOf } from './node-error'
import {
  NoAnswer,
  NodeAnswer,
  type Outcome,
  type OutcomeSummary,
  type Properties,
  visionOf,
  visionOfError,
} from './outcome'
import { isUnpermitted, notPermitted } from './permission'
import { type StatusLine, statusLineOf } from './status'

export interface Handling {
  /** In parallel; they leave in order. */
  atOnce: number
  room: number
  /** Concerns work in progress, such as an abort: does not queue. */
  urgent?: (msg: NodeMessageInFlow) => boolean
  /** Work on a non-urgent message begins. */
  begun?: () => void
  worked?: (open: number, waiting: number) => void
  /** A message has left: with its error, otherwise with summary and duration. */
  left?: (error: unknown, answer?: { summary: OutcomeSummary; milliseconds: number }) => void
  closed?: () => void
}

/** With `changes: 'some'`, the runtime decides for each message. */
export type Decides<Described extends NodeWithInput, Decision> = Described['changes'] extends 'some'
  ? { changes: Decision }
  : { changes?: undefined }

export type MessageDecision = (msg: NodeMessageInFlow) => boolean | Promise<boolean>

export interface MessageWork {
  /** On close, or when the message is dropped. */
  signal: AbortSignal
  /** Sends a copy of the message as a step of long work. @param output from 0 */
  notify: (output: number, properties: Properties, summary: Omit<OutcomeSummary, 'state'>) => void
}

type InputBody = (msg: NodeMessageInFlow, work: MessageWork) => Promise<Outcome>

interface Job {
  body: InputBody
  msg: NodeMessageInFlow
  send: Send
  done: (error?: Error) => void
}

interface Inbox {
  /** The node's own work, queued with the messages; sends a copy of `msg`. */
  (msg: Properties, own: InputBody): void
  /** Fails all accepted messages except urgent ones, and aborts work in progress. */
  drop: (reason: Error) => void
}

interface InputEnding {
  /** The device may have received a change. */
  sent: boolean
  milliseconds: number
  outcome?: Outcome
  failure?: unknown
}

/**
 * Order, queue, `done`, errors and abort, for all nodes. Every message ends in exactly one `done()` after its outputs, or in
 * one error; on close, unfinished ones end as `ABORTED`. A message from a page of Dashboard that changes something is refused
 * unless *operator permission* let it pass.
 */
export function handleInput<Described extends NodeWithInput>(
  RED: NodeAPI,
  node: Node,
  description: Described,
  handling: Handling & Decides<Described, MessageDecision>,
  body: InputBody,
): Inbox {
  const { atOnce, room, urgent, begun, worked, left, closed } = handling
  const changes = async (msg: NodeMessageInFlow) =>
    description.changes === 'some' ? (await handling.changes?.(msg)) !== false : description.changes
  const closing = new AbortController()
  const { signal } = closing
  const endedByClose = new EndedByClose()
  const urgentWork = new Scope({ failed: (problem) => node.error(problem) })

  /** Never rejects. */
  const work = async ({ body: worker, msg, send }: Job, own: AbortSignal): Promise<InputEnding> => {
    const began = performance.now()
    const took = () => performance.now() - began
    const sentBefore = writesSent(own)
    const sent = () => writesSent(own) > sentBefore
    try {
      if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
      if (isUnpermitted(msg) && (await changes(msg))) throw notPermitted()
      const outcome = await worker(msg, {
        signal: own,
        notify: (output, properties, summary) =>
          deliver(
            RED,
            send,
            RED.util.cloneMessage(without(msg, properties)),
            new NodeAnswer(properties, { ...summary, state: 'working' }, output),
            took(),
          ),
      })
      return { sent: sent(), milliseconds: took(), outcome }
    } catch (error) {
      return { sent: sent(), milliseconds: took(), failure: withCode(error) }
    }
  }
  const inbox = new Queue({
    ...{ atOnce, room },
    full: (waiting) => nodeError('BUSY', 'queue-full', { waiting }),
    moved: (open, waiting) => worked?.(open, waiting),
  })
  /** Shared by all messages until the next drop. */
  let ends: { turn: Turn; signal: AbortSignal } | undefined
  const signalOf = (turn: Turn) => {
    if (ends?.turn !== turn) ends = { turn, signal: AbortSignal.any([signal, turn.signal]) }
    return ends.signal
  }

  /** Failures in the following nodes do not block the queue. */
  function end(job: Job, ending: InputEnding) {
    try {
      finish(job, ending)
    } catch (problem) {
      node.error(problem)
    }
  }

  function finish(job: Job, { sent, milliseconds, outcome, failure }: InputEnding) {
    let error = failure
    if (error === undefined && outcome && !(outcome instanceof NoAnswer)) {
      try {
        deliver(RED, job.send, job.msg, outcome, milliseconds)
      } catch (problem) {
        error = withCode(problem)
      }
    }
    if (signal.aborted && !(outcome instanceof NoAnswer)) endedByClose.note(error, sent)
    if (outcome instanceof NodeAnswer && error === undefined)
      left?.(undefined, { summary: outcome.summary, milliseconds })
    else left?.(outcome instanceof NoAnswer ? outcome.error : error)
    if (error === undefined) job.done()
    else fail(job, error, milliseconds)
  }

  /** Unreadable messages are not urgent. */
  const isUrgent = (msg: NodeMessageInFlow) => {
    try {
      return urgent?.(msg) ?? false
    } catch {
      return false
    }
  }

  node.on('input', (msg, send, done) => {
    const job = { body, msg, send, done }
    if (isUrgent(msg)) urgentWork.begin(async () => end(job, await work(job, signal)))
    else take(job)
  })

  function take(job: Job) {
    let ending: InputEnding = { sent: false, milliseconds: 0 }
    inbox
      .add(async (turn) => {
        begun?.()
        ending = await work(job, signalOf(turn))
      })
      .then(
        () => end(job, ending),
        // Full or dropped: no result is sent; failed work reports its own failure.
        (problem: unknown) => end(job, { ...ending, failure: ending.failure ?? withCode(problem) }),
      )
  }

  node.on('close', (done: () => void) => {
    closing.abort()
    Promise.all([inbox.idle(), urgentWork.ended()]).then(() => {
      endedByClose.tell(node)
      closed?.()
      done()
    }, done)
  })

  const begin = (properties: Properties, own: InputBody) => {
    const msg = { _msgid: RED.util.generateId(), ...properties }
    const done = (error?: Error) => {
      if (error) node.error(error, msg)
    }
    take({ body: own, msg, send: (sent) => node.send(sent), done })
  }
  return Object.assign(begin, { drop: (reason: Error) => void inbox.drop(reason) })
}

/** Catch receives the incoming message with the summary of the failure. */
function fail({ msg, done }: Pick<Job, 'msg' | 'done'>, problem: unknown, milliseconds: number) {
  const error = asSentence(problem)
  try {
    msg['vision'] = visionOfError(error, milliseconds)
  } catch {
    // A message that cannot be extended is passed on unchanged.
  }
  done(error)
}

/** Replaced properties need no copy: they may be as large as a firmware image. */
const without = (msg: NodeMessageInFlow, properties: Properties) =>
  Object.fromEntries(Object.entries(msg).filter(([name]) => !(name in properties))) as typeof msg

type Send = (msg: NodeMessage | (NodeMessage | null)[]) => void

/** Throws if a property cannot be set. @param milliseconds duration of the work */
export function deliver(
  RED: NodeAPI,
  send: Send,
  given: NodeMessage,
  { properties, summary: summary, output }: NodeAnswer,
  milliseconds: number,
): void {
  // A frozen message is copied.
  const msg = Object.isExtensible(given) ? given : { ...given }
  // First, so that an answer in `vision` takes precedence.
  msg['vision'] = visionOf(summary, milliseconds)
  for (const [path, value] of Object.entries(properties)) setProperty(RED, msg, path, value)
  send(toOutput(output, msg))
}

/** @param output from 0 */
const toOutput = (output: number, msg: NodeMessage) =>
  output === 0 ? msg : [...Array<null>(output).fill(null), msg]

function setProperty(RED: NodeAPI, msg: NodeMessage, path: string, value: unknown) {
  if (/^\w+$/.test(path)) msg[path] = value
  else if (!set(RED, msg, path, value))
    throw invalidInput('bad-property', { field: 'property', property: path })
}

function set(RED: NodeAPI, msg: NodeMessage, path: string, value: unknown): boolean {
  try {
    return RED.util.setMessageProperty(msg, path, value, true)
  } catch {
    return false
  }
}

const counts = new WeakMap<AbortSignal, number>()

/** Calls with this signal that have or may have changed a device. */
const writesSent = (signal: AbortSignal): number => counts.get(signal) ?? 0

/** Counts writes by the signal of each call. */
export function countingWrites(client: Client): Client {
  const { operation, operationIds } = loadContract()
  const writes: OperationId[] = operationIds.filter((id) => operation(id).method !== 'GET')
  const counting =
    (call: Method): Method =>
    (...args) => {
      const answer = call(...args)
      answer.then(
        () => count(args),
        (error: unknown) => {
          if (mayBeDone(error as VisionError)) count(args)
        },
      )
      return answer
    }
  const request = counting(client.request as Method)
  return {
    ...client,
    ...Object.fromEntries(writes.map((id) => [id, counting(client[id] as Method)])),
    request: (id, ...rest) => (writes.includes(id) ? request : client.request)(id, ...rest),
  }
}

type Method = (...value: unknown[]) => Promise<unknown>

const mayBeDone = ({ code, key }: VisionError) => code === 'OUTCOME_UNKNOWN' || key === 'aborted-sent'

function count(given: readonly unknown[]): void {
  const { signal } = (given.at(-1) ?? {}) as CallOptions
  if (signal) counts.set(signal, writesSent(signal) + 1)
}

/** Node-RED has closed Catch and the following nodes, or is about to; one log line reports all messages that end. */
class EndedByClose {
  readonly #codes = new Map<string, number>()
  #all = 0
  #sent = 0

  /** @param sent the message has or may have changed a device */
  note(error: unknown, sent: boolean): void {
    const code = error === undefined ? say('close-done') : (anyCodeOf(error) ?? say('close-failed'))
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
    this.#all++
    if (sent) this.#sent++
  }

  tell(node: Node): void {
    if (this.#all === 0) return
    const codes = [...this.#codes].map(([code, count]) => `${code} ${count}`).join(', ')
    const key = this.#sent > 0 ? 'close-ended-sent' : 'close-ended'
    node.warn(say(key, { count: this.#all, codes, sent: this.#sent }))
  }
}

const room = 100

export function oneByOne<Described extends NodeWithInput>(
  RED: NodeAPI,
  node: Node,
  description: Described,
  body: InputBody,
  ...[decides]: Described['changes'] extends 'some' ? [Decides<Described, MessageDecision>] : []
): void {
  const status = statusLineOf(RED, node)
  handleInput(
    RED,
    node,
    description,
    {
      ...({ ...decides } as Decides<Described, MessageDecision>),
      ...{ atOnce: 1, room },
      begun: () => status.begins(),
      worked: (open, waiting) => status.work(open, waiting),
      left: (error, answer) => status.left(error, answer),
      closed: () => status.close(),
    },
    body,
  )
}

const waiting = new Set<() => void>()

/**
 * Once, when the flows have started and all receiving nodes exist. One shared listener: Node.js warns of a leak from
 * eleven on.
 * @returns cancels it
 */
export function whenStarted({ events }: NodeAPI, begin: () => void): () => void {
  if (waiting.size === 0) events.once('flows:started', startAll)
  waiting.add(begin)
  return () => {
    waiting.delete(begin)
    if (waiting.size === 0) events.removeListener('flows:started', startAll)
  }
}

function startAll(): void {
  const begins = [...waiting]
  waiting.clear()
  for (const begin of begins) begin()
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

interface OwnMessages {
  status: StatusLine
  /** @param output from 0 */
  send: (output: number, properties: Properties, summary: OutcomeSummary) => void
  /** Shown, and sent to Catch. */
  trouble: (error: unknown) => void
  /** Until the node closes. @param join returns how to leave, or throws */
  join: (join: () => () => void) => void
}

export function ownMessages(RED: NodeAPI, node: Node): OwnMessages {
  const status = statusLineOf(RED, node)
  const trouble = (error: unknown) => {
    status.left(error)
    node.error(asSentence(error), {})
  }
  return {
    status,
    trouble,
    send: (output, properties, summary) =>
      deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer(properties, summary, output), 0),
    join: (join) => {
      let leave: (() => void) | undefined
      try {
        leave = join()
      } catch (error) {
        trouble(error)
      }
      node.on('close', () => {
        leave?.()
        status.close()
      })
    },
  }
}

/** Coalesces calls, after the current work: messages do not wait for a status. */
export function afterwards(show: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setImmediate(() => {
      isWaiting = false
      show()
    })
  }
}
