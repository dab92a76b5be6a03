/** The node *operator permission*. In: orders of a page. Out: those of a logged-in person. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { deliver, oneByOne, whenStarted } from '../shared/handle-input'
import { checkedFields } from '../shared/fields/checked-fields'
import { setLanguage } from '../shared/node-error'
import { NodeAnswer } from '../shared/outcome'
import { isFromLogin, pagesNeedLogin, permit } from '../shared/permission'
import { operatorPermissionNode, type OperatorPermissionFields } from './fields'
import { sentencesOf } from '../sentences'

const { nodeError, summarize } = sentencesOf('operator-permission')

export default (RED: NodeAPI) => {
  setLanguage(RED)

  RED.nodes.registerType(
    'vision-operator-permission',
    function (this: Node, config: NodeDef & OperatorPermissionFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, operatorPermissionNode, config)
      if (!fields) return
      const { allowed } = fields

      oneByOne(RED, this, operatorPermissionNode, (msg) => {
        if (!allowed) throw nodeError('FORBIDDEN', 'orders-off')
        if (!pagesNeedLogin(RED)) throw nodeError('FORBIDDEN', 'orders-no-login')
        if (!isFromLogin(msg)) throw nodeError('FORBIDDEN', 'orders-not-logged-in')
        permit(msg)
        return Promise.resolve(new NodeAnswer({}, summarize('result-orders-passed')))
      })

      const cancel = whenStarted(RED, () => {
        const isOpen = allowed && pagesNeedLogin(RED)
        const key = isOpen
          ? 'result-orders-shown'
          : allowed
            ? 'result-orders-hidden-no-login'
            : 'result-orders-hidden'
        const answer = new NodeAnswer(
          { visible: isOpen, enabled: isOpen },
          summarize(key, {}, { value: isOpen, state: allowed && !isOpen ? 'warning' : 'done' }),
          1,
        )
        deliver(RED, (message) => this.send(message), {}, answer, 0)
      })
      this.on('close', cancel)
    },
  )
}
