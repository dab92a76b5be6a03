import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Parameter } from '../../lib/contract'
import { byName, byNode, itself } from '../shared/by-name'
import { inPipeline } from '../device/known-nodes'
import { fixedNames } from '../device/fixed-names'
import { onInput } from '../device/on-input'
import { NodeAnswer } from '../shared/outcome'
import { parameterName, parameterNames } from '../shared/read-fields'
import { toldParameters } from '../shared/told'
import { checkedFields } from '../shared/fields/checked-fields'
import { getParameterNode, type GetParameterFields } from './fields'
import { requestedNodes } from './requested-nodes'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-get-parameter', function (this: Node, given: NodeDef & GetParameterFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, getParameterNode, given)
    if (!fields) return
    const { which, output, property } = fields
    const shown = (record: Parameter): unknown => (output === 'record' ? record : record.value)

    onInput(
      RED,
      this,
      getParameterNode,
      fields,
      async ({ device, read, text, name, signal }) => {
        if (which === 'nodes') {
          const pipeline = text('pipeline')
          const nodes = await Promise.all(
            requestedNodes(read('node')).map(async ({ node, names: given }) => ({
              node,
              records: await device.onNode({ pipeline, node, signal }, (target) =>
                device.client.getParameters(
                  { ...inPipeline(target), ...(given && { name: given }) },
                  { signal },
                ),
              ),
            })),
          )
          const all = nodes.flatMap(({ records }) => records)
          return new NodeAnswer(
            { parameter: byNode(nodes, itself), [property]: byNode(nodes, shown) },
            toldParameters(all),
          )
        }

        const asked = { pipeline: text('pipeline'), node: name('node'), signal }

        if (which === 'one') {
          const param = parameterName(read('parameter'))
          const record = await device.onNode(asked, (target) =>
            device.client.getParameter({ ...inPipeline(target), param }, { signal }),
          )
          return new NodeAnswer(
            { parameter: record, [property]: shown(record) },
            toldParameters([record], record.value),
          )
        }

        const names = which === 'several' ? { name: parameterNames(read('parameter')) } : {}
        const records = await device.onNode(asked, (target) =>
          device.client.getParameters({ ...inPipeline(target), ...names }, { signal }),
        )
        return new NodeAnswer(
          { parameter: byName(records, itself), [property]: byName(records, shown) },
          toldParameters(records),
        )
      },
      { reads: true, names: fixedNames(RED, this, getParameterNode, fields) },
    )
  })
}
