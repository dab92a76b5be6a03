import type { Node, NodeAPI, NodeMessageInFlow } from 'node-red'
import { asSentence, withCode } from './as-sentence'
import { deliver, type Send } from './deliver'
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
  /** Work began or ended. */
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
  { atOnce, room, urgent, worked, left, closed }: Handling,
  body: (msg: NodeMessageInFlow, work: Work) => Promise<Outcome>,
): void {
  const closing = new AbortController()
  const { signal } = closing

  const work = async (job: Job) => {
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
      return () => end(job, outcome)
    } catch (error) {
      return () => end(job, undefined, withCode(error))
    }
  }
  const inbox = inOrder<Job>(atOnce, room, work)

  /** Whatever goes wrong in what follows the node, the messages behind this one still get their turn. */
  function end(job: Job, outcome: Outcome | undefined, failure?: unknown) {
    try {
      finish(job, outcome, failure)
    } catch (problem) {
      node.error(problem)
    }
  }

  function finish(job: Job, outcome: Outcome | undefined, failure?: unknown) {
    let error = failure
    if (outcome && !(outcome instanceof Nothing)) {
      try {
        deliver(RED, job.send, job.msg, outcome)
      } catch (problem) {
        error = withCode(problem)
      }
    }
    left?.(outcome instanceof Nothing ? outcome.error : error)
    worked?.(inbox.open(), inbox.waiting())
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
      void work({ msg, send, done }).then((release) => release())
      return
    }
    if (inbox.take({ msg, send, done })) return worked?.(inbox.open(), inbox.waiting())
    const error = nodeError('BUSY', 'queue-full', { waiting: inbox.waiting() })
    left?.(error)
    done(asSentence(error))
  })

  node.on('close', (done: () => void) => {
    closing.abort()
    void inbox.idle().then(() => {
      closed?.()
      done()
    })
  })
}

/** What is replaced need not be copied: it may be as large as a firmware. */
const without = (msg: NodeMessageInFlow, properties: Properties) =>
  Object.fromEntries(Object.entries(msg).filter(([name]) => !(name in properties))) as typeof msg
