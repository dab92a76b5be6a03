import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { NodeAnswer, NoAnswer } from '../shared/outcome'
import { codeOf } from '../shared/node-error'
import { fixedNames } from '../device/fixed-names'
import { onInput } from '../device/on-input'
import { differs } from './differs'
import { every } from './every'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { getStatusNode, type GetStatusFields } from './fields'
import { readStatus } from './read-status'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-get-status', function (this: Node, given: NodeDef & GetStatusFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, getStatusNode, given)
    if (!fields) return
    const { when, property } = fields
    const orZero = (name: 'interval' | 'threshold') => numberOf(getStatusNode, fields, name) ?? 0

    /** What was sent last, or the code of the failure that was reported instead. */
    let last: { telling: unknown } | { failure: unknown } | undefined
    const ownLooks = new WeakSet<NodeMessage>()
    let underWay = 0

    onInput(
      RED,
      this,
      getStatusNode,
      fields,
      async (input) => {
        const isOwn = ownLooks.has(input.msg)
        underWay++
        try {
          const { answer, status, telling, told } = await readStatus(input, fields)
          const threshold = orZero('threshold')
          const isNew = !last || 'failure' in last || differs(last.telling, telling, threshold)
          if (when === 'change' && !isNew) return new NoAnswer()
          last = { telling }
          return new NodeAnswer({ status, [property]: answer }, told)
        } catch (error) {
          const failure = codeOf(error) ?? 'failed'
          const isKnown = isOwn && last && 'failure' in last && last.failure === failure
          if (isOwn) last = { failure }
          // The same error every second would flood the log.
          if (isKnown) return new NoAnswer(error)
          throw error
        } finally {
          underWay--
        }
      },
      { names: fixedNames(RED, this, getStatusNode, fields) },
    )

    every(
      RED,
      this,
      () => orZero('interval'),
      () => {
        // A device that is slower than the interval gets one request at a time.
        if (underWay > 0) return
        const look: NodeMessage = {}
        ownLooks.add(look)
        this.receive(look)
      },
    )
  })
}
