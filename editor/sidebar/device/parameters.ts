import type { Parameter } from '../../../lib/contract'
import { parameterUnit } from '../../../lib/contract/reading/parameter-unit'
import { deviceApi } from '../../device-api'
import { nodeParameters, type NodeParameters } from '../../node-parameters'
import { ineffectiveText, limitsText, valueText } from '../../parameter-text'
import { sharedText } from '../../shared-text'
import type { NewNode } from '../flow/new-node'
import type { TreeBranch, TreeEntry } from '../tree/entry'
import { flowFields, type DeviceNode } from './device-node'
import { editParameter } from './edit-parameter'

/** Seconds between two updates of the values. */
const every = 1

/** The parameters of a node with their present values, or those with the given names. */
export const parameters = (place: DeviceNode, names?: readonly string[]): TreeBranch => ({
  every,
  load: async () => {
    const around = await nodeParameters(deviceApi(place.device), place, { fresh: true })
    return around.records
      .filter(({ name }) => !names || names.includes(name))
      .map((record) => entry(place, record, around))
  },
})

function entry(place: DeviceNode, record: Parameter, around: NodeParameters): TreeEntry {
  const { name, description, value } = record
  const unit = parameterUnit(record)
  const remark = ineffectiveText(around, record)
  return {
    key: name,
    label: name,
    ...(remark && { about: sharedText('sidebar.noEffect') }),
    value: valueText(value, unit),
    icon: 'pencil',
    description: [
      description,
      remark,
      limitsText(record),
      sharedText('present.byDefault', { value: valueText(record.default, unit) }),
    ]
      .filter(Boolean)
      .join('\n'),
    nodes: flowNodes(place, record),
    edit: editParameter(place, record, remark),
  }
}

/** A node for writing starts with the present value. */
function flowNodes(place: DeviceNode, { name, value }: Parameter): NewNode[] {
  const fields = { ...flowFields(place), which: 'one', parameter: name, parameterType: 'str' }
  const [kind, text] =
    typeof value === 'string' ? ['str', value] : [kinds[typeof value] ?? 'json', JSON.stringify(value)]
  return [
    { type: 'vision-get-parameter', fields },
    { type: 'vision-set-parameter', fields: { ...fields, value: text, valueType: kind } },
  ]
}

const kinds: Partial<Record<string, string>> = { number: 'num', boolean: 'bool' }
