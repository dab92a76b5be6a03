/** The node *get parameter*. In: a message. Out: one value or an object of values. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Parameter } from '../../lib/contract'
import { fixedNames, inPipeline } from '../device/known-nodes'
import { onInput } from '../device/on-input'
import { byName, byNode, itself, summarizeParameters, NodeAnswer } from '../shared/outcome'
import { checkedFields } from '../shared/fields/checked-fields'
import { isObject } from '../shared/is-object'
import { parameterName, parameterNames } from '../shared/read-fields'
import { invalidInput } from '../shared/sentences'
import { type GetParameterFields, getParameterNode } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-get-parameter', function (this: Node, config: NodeDef & GetParameterFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, getParameterNode, config)
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
            summarizeParameters(all),
          )
        }

        const query = { pipeline: text('pipeline'), node: name('node'), signal }

        if (which === 'one') {
          const param = parameterName(read('parameter'))
          const record = await device.onNode(query, (target) =>
            device.client.getParameter({ ...inPipeline(target), param }, { signal }),
          )
          return new NodeAnswer(
            { parameter: record, [property]: shown(record) },
            summarizeParameters([record], record.value),
          )
        }

        const names = which === 'several' ? { name: parameterNames(read('parameter')) } : {}
        const records = await device.onNode(query, (target) =>
          device.client.getParameters({ ...inPipeline(target), ...names }, { signal }),
        )
        return new NodeAnswer(
          { parameter: byName(records, itself), [property]: byName(records, shown) },
          summarizeParameters(records),
        )
      },
      { reads: true, names: fixedNames(RED, this, getParameterNode, fields) },
    )
  })
}

/** Without names: all parameters. */
interface RequestedNode {
  node: string
  names?: string[]
}

/**
 * Comma-separated text, an array, or an object: for each node, parameter names as text or array, or values as for
 * `set-parameter`, of which only the names count.
 */
function requestedNodes(value: unknown): RequestedNode[] {
  if (!isObject(value)) return parameterNames(value, 'node').map((node) => ({ node }))
  const nodes = Object.entries(value).map(([node, its]) => ({
    node,
    ...named(its),
  }))
  if (nodes.length === 0) throw invalidInput('empty-field', { field: 'node' })
  return nodes
}

function named(its: unknown): Pick<RequestedNode, 'names'> {
  const list = isObject(its) ? Object.keys(its) : its
  const isAll = list === '' || (Array.isArray(list) && list.length === 0)
  return isAll ? {} : { names: parameterNames(list, 'node') }
}
