/** The node *set parameter*. In: values. Out: the values in effect. With several nodes, all or none. */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { ParameterNameValue } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { byName, byNode, itself, summarizeParameters, NodeAnswer } from '../shared/outcome'
import { fixedNames, inPipeline } from '../device/known-nodes'
import { codeOf } from '../shared/node-error'
import { onInput } from '../device/on-input'
import { parameterName } from '../shared/read-fields'
import { acceptedValue, namedValues, valuesByNode, writeNodes } from './write-nodes'
import { checkedFields } from '../shared/fields/checked-fields'
import { setParameterNode, type SetParameterFields } from './fields'
import { invalidInput } from '../shared/sentences'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-set-parameter', function (this: Node, config: NodeDef & SetParameterFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, setParameterNode, config)
    if (!fields) return
    const isOne = fields.which === 'one'

    onInput(
      RED,
      this,
      setParameterNode,
      fields,
      async ({ device, read, text, name, signal }) => {
        if (fields.which === 'nodes') {
          const options = { pipeline: text('pipeline'), putsBack: fields.putsBack, signal }
          const written = await writeNodes(device, valuesByNode(read('value')), options)
          return new NodeAnswer(
            { payload: byNode(written, ({ value }) => value), parameter: byNode(written, itself) },
            summarizeParameters(written.flatMap(({ records }) => records)),
          )
        }
        const values = isOne
          ? [{ name: parameterName(read('parameter')), value: present(read('value')) }]
          : namedValues(read('value'))

        const query = { pipeline: text('pipeline'), node: name('node'), signal }
        const written = await device.onNode(query, async (target) => {
          const node = inPipeline(target)
          const parameters = await checkedValues(device, node, values, signal)
          try {
            const [first] = parameters
            if (!isOne || !first)
              return await device.client.setParameters({ ...node, parameters }, { signal })
            const { name: param, value } = first
            return [await device.client.setParameter({ ...node, param, value }, { signal })]
          } catch (error) {
            // The cached limits may be out of date.
            if (codeOf(error) === 'BAD_REQUEST') device.records.forget()
            throw error
          }
        })

        const [only] = written
        if (isOne && only)
          return new NodeAnswer(
            { payload: only.value, parameter: only },
            summarizeParameters(written, only.value),
          )
        return new NodeAnswer(
          { payload: byName(written, ({ value }) => value), parameter: byName(written, itself) },
          summarizeParameters(written),
        )
      },
      { names: fixedNames(RED, this, setParameterNode, fields) },
    )
  })
}

function present(value: unknown): unknown {
  if (value === undefined) throw invalidInput('empty-field', { field: 'value' })
  return value
}

/**
 * Values in the device's types, checked against cached records; a rejected value is checked again against fresh ones.
 * @throws INVALID_INPUT if type, limits or choices do not allow a value
 */
async function checkedValues(
  { records }: Connection,
  target: { pipeline: string; node: string },
  values: readonly ParameterNameValue[],
  signal: AbortSignal,
): Promise<ParameterNameValue[]> {
  const known = records.known(target)
  if (known) {
    try {
      return check(known)
    } catch {
      // Decided by fresh records below.
    }
  }
  return check(await records.ask(target, signal))

  function check(byName: NonNullable<typeof known>) {
    return values.map(({ name, value }) => {
      const record = byName.get(name)
      // The device itself refuses an unknown name.
      return { name, value: record ? acceptedValue(record, value) : value }
    })
  }
}
