import type { Node, NodeAPI } from 'node-red'
import type { SidePortOption, VirtualDeviceOptions } from '../../virtual-device'
import { environmentText } from '../shared/read-fields'
import { numberOf } from '../shared/fields/checked-fields'
import { virtualDeviceNode, type VirtualDeviceFields } from './fields'
import { invalidInput } from '../shared/sentences'

/**
 * The device's options for the fields.
 * @throws INVALID_INPUT naming an invalid field
 */
export function deviceOptions(
  RED: NodeAPI,
  node: Node,
  fields: VirtualDeviceFields,
): Omit<VirtualDeviceOptions, 'clock'> & { host: string; port: number } {
  const text = (
    field:
      | 'host'
      | 'imagePort'
      | 'robotPort'
      | 'armPort'
      | 'nodePrefix'
      | 'stateFolder'
      | 'serial'
      | 'model'
      | 'imageVersion',
  ) => environmentText(RED, node, field, fields[field]).trim()
  const [state, serial] = [text('stateFolder'), text('serial')]
  const [model, imageVersion] = [text('model'), text('imageVersion')]
  return {
    port: numberOf(virtualDeviceNode, fields, 'port'),
    host: text('host'),
    imagePort: sidePortOf(text('imagePort')),
    robotPort: sidePortOf(text('robotPort')),
    arm: fields.arm,
    armPort: sidePortOf(text('armPort')),
    variant: fields.variant,
    nodePrefix: text('nodePrefix'),
    seed: numberOf(virtualDeviceNode, fields, 'seed'),
    scenario: scenarioOf(fields.scenario),
    ...(state && { state }),
    ...(serial && { serial }),
    ...(model && { model }),
    ...(imageVersion && { imageVersion }),
  }
}

/** Digits that are no port are refused by the device. */
const sidePortOf = (text: string): SidePortOption =>
  text === '' ? 'auto' : text === 'off' ? 'off' : Number(text)

function scenarioOf(text: string): NonNullable<VirtualDeviceOptions['scenario']> {
  try {
    return JSON.parse(text || '{}') as NonNullable<VirtualDeviceOptions['scenario']>
  } catch (problem) {
    throw invalidInput('not-json', { field: 'scenario' }, problem)
  }
}
