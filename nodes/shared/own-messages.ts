import type { Node, NodeAPI } from 'node-red'
import { asSentence } from './as-sentence'
import { deliver } from './deliver'
import { NodeAnswer, type OutcomeSummary, type Properties } from './outcome'
import { statusLineOf, type StatusLine } from './status-line'

/** What a node without an input does: it joins something, and sends messages of its own. */
export interface OwnMessages {
  status: StatusLine
  /** @param output from 0 */
  send: (output: number, properties: Properties, told: OutcomeSummary) => void
  /** Shows an error, and tells Catch nodes. */
  trouble: (error: unknown) => void
  /** Joins until the node closes. @param join leaves again, or throws why that cannot be */
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
    send: (output, properties, told) =>
      deliver(RED, (msg) => node.send(msg), {}, new NodeAnswer(properties, told, output), 0),
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

/** Shows once what has changed, after what is under way: a message to the flow does not wait for a status. */
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
