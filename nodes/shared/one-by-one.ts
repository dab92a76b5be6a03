import type { Node, NodeAPI } from 'node-red'
import { handleInput } from './handle-input'
import { statusLineOf } from './status-line'

/** Messages that may wait for the one that is worked on. */
const room = 100

/** Handles the messages of a node one after the other, each shown in its status. */
export function oneByOne(RED: NodeAPI, node: Node, body: Parameters<typeof handleInput>[3]): void {
  const status = statusLineOf(RED, node)
  handleInput(
    RED,
    node,
    {
      ...{ atOnce: 1, room },
      begun: () => status.begins(),
      worked: (open, waiting) => status.work(open, waiting),
      left: (error, answer) => status.left(error, answer),
      closed: () => status.close(),
    },
    body,
  )
}
