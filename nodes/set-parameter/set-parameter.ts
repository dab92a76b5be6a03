import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { ParameterNameValue } from '../../lib/contract'
import { byName, itself } from '../shared/by-name'
import { inPipeline } from '../shared/in-pipeline'
import { codeOf, invalidInput } from '../shared/node-error'
import { onInput } from '../shared/on-input'
import { parameterName } from '../shared/parameter-names'
import { checkedValues } from './checked-values'
import { setParameterFields, type SetParameterFields } from './fields'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-set-parameter', function (this: Node, given: NodeDef & SetParameterFields) {
    RED.nodes.createNode(this, given)
    const fields = { ...setParameterFields, ...given }
    const isOne = fields.which === 'one'

    onInput(RED, this, fields, async ({ device, read, text, name, signal }) => {
      const values = isOne
        ? [{ name: parameterName(read('parameter')), value: present(read('value')) }]
        : namedValues(read('value'))

      const asked = { pipeline: text('pipeline'), node: name('node'), signal }
      const kept = await device.onNode(asked, async (target) => {
        const node = inPipeline(target)
        const parameters = await checkedValues(device, node, values, signal)
        try {
          const [first] = parameters
          if (!isOne || !first) return await device.client.setParameters({ ...node, parameters }, { signal })
          const { name: param, value } = first
          return [await device.client.setParameter({ ...node, param, value }, { signal })]
        } catch (error) {
          // What is known about the limits may be out of date.
          if (codeOf(error) === 'BAD_REQUEST') device.records.forget()
          throw error
        }
      })

      const [only] = kept
      if (isOne && only) return { payload: only.value, parameter: only }
      return {
        payload: byName(kept, ({ value }) => value),
        parameter: byName(kept, itself),
      }
    })
  })
}

function present(value: unknown): unknown {
  if (value === undefined) throw invalidInput('empty-field', { field: 'value' })
  return value
}

function namedValues(given: unknown): ParameterNameValue[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw invalidInput('not-an-object', { field: 'value' })
  }
  const values = Object.entries(given).map(([name, value]) => ({ name, value: value as unknown }))
  if (values.length === 0) throw invalidInput('empty-field', { field: 'value' })
  return values
}
