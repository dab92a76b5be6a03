import type { Node, NodeAPI } from 'node-red'
import type { VirtualDeviceOptions } from '../../virtual-device'
import { environmentText } from '../shared/environment-text'
import { invalidInput } from '../shared/node-error'
import { number } from '../shared/number'
import type { VirtualDeviceFields } from './fields'

/**
 * What the fields mean to the device.
 * @throws INVALID_INPUT naming the field that makes no sense
 */
export function deviceOptions(
  RED: NodeAPI,
  node: Node,
  fields: VirtualDeviceFields,
): Omit<VirtualDeviceOptions, 'clock'> {
  const text = (field: 'host' | 'nodePrefix' | 'stateFolder' | 'serial') =>
    environmentText(RED, node, field, fields[field]).trim()
  const [state, serial] = [text('stateFolder'), text('serial')]
  return {
    port: number('port', fields.port, 0, 65_535),
    host: text('host'),
    variant: fields.variant,
    nodePrefix: text('nodePrefix'),
    seed: number('seed', fields.seed, 0, 2 ** 32 - 1),
    scenario: scenarioOf(fields.scenario),
    ...(state && { state }),
    ...(serial && { serial }),
  }
}

function scenarioOf(text: string): NonNullable<VirtualDeviceOptions['scenario']> {
  try {
    return JSON.parse(text || '{}') as NonNullable<VirtualDeviceOptions['scenario']>
  } catch (problem) {
    throw invalidInput('not-json', { field: 'scenario' }, problem)
  }
}
