import type { Node, NodeAPI } from 'node-red'
import type { NodeWithInput } from './fields/description'
import { handleInput, type Decides, type InputBody, type MessageDecision } from './handle-input'
import { statusLineOf } from './status-line'

/** Messages that may wait for the one that is worked on. */
const room = 100

/** Handles the messages of a node one after the other, each shown in its status. */
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
