import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { writesSent } from '../device-config/writes-sent'
import { asSentence, withCode } from './as-sentence'
import { deliver, type Send } from './deliver'
import { EndedByClose } from './ended-by-close'
import { inOrder } from './in-order'
import { nodeError } from './node-error'
import { Nothing, ToOutput, type Outcome, type Properties } from './outcome'

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
  /** A message has left, with the error if it failed. */
  left?: (error?: unknown) => void
  /** The node closes. */
  closed?: () => void
}

/** What the body has in hand while it works on a message. */
export interface Work {
  /** Aborted when the node closes. */
  signal: AbortSignal
  /**
   * Sends a copy of the message with these properties ahead of the outcome: a step of long work.
   * @param output from 0
   */
  tell: (output: number, properties: Properties) => void
}

interface Job {
  msg: NodeMessageInFlow
  send: Send
  done: (error?: Error) => void
}

/**
 * The one place for order, queue, `done`, errors and abort. Every message ends in exactly one `done()`, after its
 * outputs, or in one error; on close too, where what is still to do ends as `ABORTED`.
 */
export function handleInput(
  RED: NodeAPI,
  node: Node,
  { atOnce, room, urgent, begun, worked, left, closed }: Handling,
  body: (msg: NodeMessageInFlow, work: Work) => Promise<Outcome>,
): void {
  const closing = new AbortController()
  const { signal } = closing
  const endedByClose = new EndedByClose()
  /** Urgent messages that are being worked on. */
  const urgentWork = new Set<Promise<void>>()

  const work = async (job: Job) => {
    const sentBefore = writesSent(signal)
    const sent = () => writesSent(signal) > sentBefore
    try {
      if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
      const outcome = await body(job.msg, {
        signal,
        tell: (output, properties) =>
          deliver(
            RED,
            job.send,
            RED.util.cloneMessage(without(job.msg, properties)),
            new ToOutput(output, properties),
          ),
      })
      return () => end(job, sent(), outcome)
    } catch (error) {
      return () => end(job, sent(), undefined, withCode(error))
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
  function end(job: Job, sent: boolean, outcome: Outcome | undefined, failure?: unknown) {
    try {
      finish(job, sent, outcome, failure)
    } catch (problem) {
      node.error(problem)
    }
  }

  function finish(job: Job, sent: boolean, outcome: Outcome | undefined, failure?: unknown) {
    let error = failure
    if (outcome && !(outcome instanceof Nothing)) {
      try {
        deliver(RED, job.send, job.msg, outcome)
      } catch (problem) {
        error = withCode(problem)
      }
    }
    if (signal.aborted && !(outcome instanceof Nothing)) endedByClose.note(error, sent)
    left?.(outcome instanceof Nothing ? outcome.error : error)
    if (error === undefined) job.done()
    else job.done(asSentence(error))
  }

  /** What cannot be read is no message about what is under way. */
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
    done(asSentence(error))
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

/** What is replaced need not be copied: it may be as large as a firmware. */
const without = (msg: NodeMessageInFlow, properties: Properties) =>
  Object.fromEntries(Object.entries(msg).filter(([name]) => !(name in properties))) as typeof msg
