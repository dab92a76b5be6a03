/**
 * The node *PLC messages*: connects a handshake with the nodes of other protocols. In: what the PLC wrote. Out: what to
 * write.
 */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { handshakeOf } from '../plc/handshake-of'
import { asSentence } from '../shared/sentences'
import { checkedFields } from '../shared/fields/checked-fields'
import { handleInput } from '../shared/handle-input'
import { NoAnswer } from '../shared/outcome'
import { statusLineOf } from '../shared/status'
import { plcMessagesNode, type PlcMessagesFields } from './fields'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('plc')

/** Messages of a fast reader that may wait. */
const room = 1000

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-plc-messages', function (this: Node, given: NodeDef & PlcMessagesFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, plcMessagesNode, given)
    if (!fields) return
    const handshake = handshakeOf(RED, fields.handshake)
    const status = statusLineOf(RED, this)
    let leave: (() => void) | undefined
    let isForeignTold = false

    handleInput(
      RED,
      this,
      plcMessagesNode,
      {
        atOnce: 1,
        room,
        left: (error) => status.left(error),
        closed: () => {
          leave?.()
          status.close()
        },
      },
      (msg) => {
        if (!handshake || !leave) throw invalidInput('plc-missing')
        const heard = handshake.messages.hear(msg)
        if (heard === 'reading') isForeignTold = false
        // A reader that is wired wrongly sends the same with each poll: one error is enough.
        if (heard !== 'foreign' || isForeignTold) return Promise.resolve(new NoAnswer())
        isForeignTold = true
        throw invalidInput('plc-foreign-message')
      },
    )

    try {
      if (!handshake) throw invalidInput('plc-missing')
      if (!handshake.usesMessages) throw invalidInput('plc-no-messages')
      leave = handshake.messages.join((message) =>
        // What is repeated must be as it was: nodes change what they get.
        this.send(RED.util.cloneMessage({ ...message })),
      )
      if (!leave) throw invalidInput('plc-two-messages')
    } catch (error) {
      status.left(error)
      this.error(asSentence(error))
    }
  })
}
