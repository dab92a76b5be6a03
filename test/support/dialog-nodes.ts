import { configNames, paletteNames } from './dialog-source'

/** One node of every type, with the type's name as id. @param address of the device */
export function dialogNodes(address: string): { ids: readonly string[]; flows: object[] } {
  const shared = configNames.map((name) => ({ id: name, type: `vision-${name}`, name: '', address }))
  const nodes = paletteNames.map((name, row) => ({
    ...{ id: name, type: `vision-${name}`, z: 'tab', x: 200, y: 40 + 48 * row, wires: [[]] },
    device: 'device-config',
  }))
  const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
  return { ids: [...configNames, ...paletteNames], flows: [tab, ...shared, ...nodes] }
}
