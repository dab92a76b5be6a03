import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { Queue, type Turn } from '../../lib/kernel/queue'
import { Scope } from '../../lib/kernel/scope'
import { writesSent } from './writes-sent'
import { asSentence, withCode } from './as-sentence'
import { deliver, type Send } from './deliver'
import { EndedByClose } from './ended-by-close'
import {
  NodeAnswer,
  NoAnswer,
  visionOfError,
  type Outcome,
  type Properties,
  type OutcomeSummary,
} from './outcome'
import type { NodeWithInput } from './fields/description'
import { isUnpermitted, notPermitted } from './page-messages'
import { nodeError } from './sentences'

export interface Handling {
  /** Messages processed at the same time; they leave in order. */
  atOnce: number
  /** Messages that may wait. */
  room: number
  /** Whether a message concerns work in progress, such as an abort: these do not wait. */
  urgent?: (msg: NodeMessageInFlow) => boolean
  /** Called when work on a non-urgent message begins. */
  begun?: () => void
  /** Called when messages have arrived or left. */
  worked?: (open: number, waiting: number) => void
  /** Called when a message has left: with its error if it failed, otherwise with its summary and duration. */
  left?: (error: unknown, answer?: { told: OutcomeSummary; milliseconds: number }) => void
  /** Called when the node closes. */
  closed?: () => void
}

/** What a description demands that leaves it to the runtime which messages change something. */
export type Decides<Described extends NodeWithInput, Decision> = Described['changes'] extends 'some'
  ? { changes: Decision }
  : { changes?: undefined }

export type MessageDecision = (msg: NodeMessageInFlow) => boolean | Promise<boolean>

/** What the body can use while it works on a message. */
export interface MessageWork {
  /** Aborted when the node closes, and when the message is dropped. */
  signal: AbortSignal
  /**
   * Sends a copy of the message with these properties before the outcome: a step of long work.
   * @param output from 0
   */
  tell: (output: number, properties: Properties, told: Omit<OutcomeSummary, 'state'>) => void
}

/** Works on a message, or on what the node begins by itself. */
export type InputBody = (msg: NodeMessageInFlow, work: MessageWork) => Promise<Outcome>

interface Job {
  body: InputBody
  msg: NodeMessageInFlow
  send: Send
  done: (error?: Error) => void
}

/** The messages of a node. */
export interface Inbox {
  /** Begins work of the node's own, which takes its turn among the messages; what it sends is a copy of `msg`. */
  (msg: Properties, own: InputBody): void
  /** Fails every message accepted until now, besides urgent ones, with the reason; work in progress is aborted. */
  drop: (reason: Error) => void
}

/** How work on a message ended. */
interface InputEnding {
  /** Whether the device may have received something that changes it. */
  sent: boolean
  milliseconds: number
  outcome?: Outcome
  failure?: unknown
}

/**
 * The one place for order, queue, `done`, errors and abort. Every message ends in exactly one `done()`, after its
 * outputs, or in one error; on close, unfinished ones end as `ABORTED`. A message of a page of Dashboard that would change
 * something, by the node's description, is refused unless *operator permission* let it pass.
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
  /** Urgent messages in progress. */
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
        tell: (output, properties, told) =>
          deliver(
            RED,
            send,
            RED.util.cloneMessage(without(msg, properties)),
            new NodeAnswer(properties, { ...told, state: 'working' }, output),
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
  /** Until the next drop; made once for all messages between two. */
  let ends: { turn: Turn; signal: AbortSignal } | undefined
  const signalOf = (turn: Turn) => {
    if (ends?.turn !== turn) ends = { turn, signal: AbortSignal.any([signal, turn.signal]) }
    return ends.signal
  }

  /** Whatever fails in the nodes behind this one, the next messages still get their turn. */
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
      left?.(undefined, { told: outcome.told, milliseconds })
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
        // Full, or dropped: work that failed meanwhile tells its own failure, and no result is passed on.
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

/** Catch passes on the incoming message, with the summary of the failure. */
function fail({ msg, done }: Pick<Job, 'msg' | 'done'>, problem: unknown, milliseconds: number) {
  const error = asSentence(problem)
  try {
    msg['vision'] = visionOfError(error, milliseconds)
  } catch {
    // A message that accepts no property is passed on unchanged.
  }
  done(error)
}

/** What is replaced need not be copied: it may be as large as a firmware image. */
const without = (msg: NodeMessageInFlow, properties: Properties) =>
  Object.fromEntries(Object.entries(msg).filter(([name]) => !(name in properties))) as typeof msg
