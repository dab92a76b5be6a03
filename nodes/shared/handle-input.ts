import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { writesSent } from './writes-sent'
import { asSentence, withCode } from './as-sentence'
import { deliver, type Send } from './deliver'
import { EndedByClose } from './ended-by-close'
import { inOrder } from './in-order'
import { NodeAnswer, NoAnswer, type Outcome, type Properties, type OutcomeSummary } from './outcome'
import { visionOfError } from './vision-result'
import { nodeError } from './sentences'

export interface Handling {
  /** Messages worked on at the same time; they still leave in order. */
  atOnce: number
  /** Messages that may wait. */
  room: number
  /** Messages about what is under way, such as one that aborts it: they wait for none. */
  urgent?: (msg: NodeMessageInFlow) => boolean
  /** Work on a message begins that is not urgent. */
  begun?: () => void
  /** Messages came or left. */
  worked?: (open: number, waiting: number) => void
  /** A message has left: with its error if it failed, else with what people are told of it, and how long it took. */
  left?: (error: unknown, answer?: { told: OutcomeSummary; milliseconds: number }) => void
  /** The node closes. */
  closed?: () => void
}

/** What the body has in hand while it works on a message. */
export interface MessageWork {
  /** Aborted when the node closes. */
  signal: AbortSignal
  /**
   * Sends a copy of the message with these properties ahead of the outcome: a step of long work.
   * @param output from 0
   */
  tell: (output: number, properties: Properties, told: Omit<OutcomeSummary, 'state'>) => void
}

interface Job {
  msg: NodeMessageInFlow
  send: Send
  done: (error?: Error) => void
}

/** How work on a message has ended. */
interface InputEnding {
  /** Whether the device was sent what may have changed something. */
  sent: boolean
  milliseconds: number
  outcome?: Outcome
  failure?: unknown
}

/**
 * The one place for order, queue, `done`, errors and abort. Every message ends in exactly one `done()`, after its
 * outputs, or in one error; on close too, where what is still to do ends as `ABORTED`.
 */
export function handleInput(
  RED: NodeAPI,
  node: Node,
  { atOnce, room, urgent, begun, worked, left, closed }: Handling,
  body: (msg: NodeMessageInFlow, work: MessageWork) => Promise<Outcome>,
): void {
  const closing = new AbortController()
  const { signal } = closing
  const endedByClose = new EndedByClose()
  /** Urgent messages that are being worked on. */
  const urgentWork = new Set<Promise<void>>()

  const work = async (job: Job) => {
    const began = performance.now()
    const took = () => performance.now() - began
    const sentBefore = writesSent(signal)
    const sent = () => writesSent(signal) > sentBefore
    try {
      if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
      const outcome = await body(job.msg, {
        signal,
        tell: (output, properties, told) =>
          deliver(
            RED,
            job.send,
            RED.util.cloneMessage(without(job.msg, properties)),
            new NodeAnswer(properties, { ...told, state: 'working' }, output),
            took(),
          ),
      })
      const milliseconds = took()
      return () => end(job, { sent: sent(), milliseconds, outcome })
    } catch (error) {
      const milliseconds = took()
      return () => end(job, { sent: sent(), milliseconds, failure: withCode(error) })
    }
  }
  const inbox = inOrder<Job>(atOnce, room, {
    work: (job) => {
      begun?.()
      return work(job)
    },
    moved: (open, waiting) => worked?.(open, waiting),
  })

  /** Whatever goes wrong in what follows the node, the messages behind this one still get their turn. */
  function end(job: Job, ending: InputEnding) {
    try {
      finish(job, ending)
    } catch (problem) {
      node.error(problem)
    }
  }

  function finish(job: Job, { sent, milliseconds, outcome, failure }: InputEnding) {
    let error = failure
    if (outcome && !(outcome instanceof NoAnswer)) {
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
    if (isUrgent(msg)) {
      const worked = work({ msg, send, done }).then((release) => release())
      urgentWork.add(worked)
      void worked.then(() => urgentWork.delete(worked))
      return
    }
    if (inbox.take({ msg, send, done })) return
    const error = nodeError('BUSY', 'queue-full', { waiting: inbox.waiting() })
    left?.(error)
    fail({ msg, done }, error, 0)
  })

  node.on('close', (done: () => void) => {
    closing.abort()
    void Promise.all([inbox.idle(), ...urgentWork]).then(() => {
      endedByClose.tell(node)
      closed?.()
      done()
    })
  })
}

/** Catch hands on the message as it came, with what people are told of the failure. */
function fail({ msg, done }: Pick<Job, 'msg' | 'done'>, problem: unknown, milliseconds: number) {
  const error = asSentence(problem)
  try {
    msg['vision'] = visionOfError(error, milliseconds)
  } catch {
    // A message that takes no property is handed on as it is.
  }
  done(error)
}

/** What is replaced need not be copied: it may be as large as a firmware. */
const without = (msg: NodeMessageInFlow, properties: Properties) =>
  Object.fromEntries(Object.entries(msg).filter(([name]) => !(name in properties))) as typeof msg
