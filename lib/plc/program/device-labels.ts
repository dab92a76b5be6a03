/** The values of a register map as global labels of a MELSEC PLC, each assigned to its device, which the cell reads and writes. */
import { type PlcMap, type Slot, openMap } from '../data'
import type { MapLine } from '../data/map'
import { inOneLine, programError } from './language'
import type { Declared, NamedVariable } from './named-memory'

/**
 * The same map with the devices as names.
 * @throws PlcError `INVALID_INPUT` for a map with faults, and for 32 bit whose low word is not first, as labels have it
 */
export function namedByDevice(map: PlcMap): PlcMap {
  const { slots } = openMap(map)
  const lines = slots.map((slot): MapLine => {
    const { row, index, component, type, bit, length, order = map.order } = slot
    if (slot.words === 2 && /^(REAL|U?DINT)$/.test(type) && order !== 'CDAB')
      throw programError({
        code: 'INVALID_INPUT',
        key: 'program-device-order',
        values: { order: order ?? 'ABCD' },
      })
    const { indexed, components, path: hasPath } = slot.meaning
    return {
      row,
      type,
      name: deviceOf(slot, map),
      ...(indexed && { index }),
      ...(components && { component }),
      ...(hasPath && slot.path !== undefined && { path: slot.path }),
      ...(bit !== undefined && { bit }),
      ...(length > 0 && { length }),
    }
  })
  return { ...map, by: 'name', lines }
}

/** As the engineering tool writes it, without the bit. */
const deviceOf = (slot: Slot, { notation }: PlcMap): string =>
  notation?.write({ ...slot, bit: undefined }) ?? ''

/** The list that the labels stand in. */
const labelList = 'VisionLabels'

/** Labels are known everywhere in the project: their names begin alike. */
export function asDeviceLabels(
  variables: readonly NamedVariable[],
  meaning: (variable: NamedVariable) => string,
): Declared {
  const placed = variables.map((variable) => {
    const { isWordOfBits, side, fields } = variable
    const words = variables.filter((each) => each.isWordOfBits && each.side === side)
    const suffix = words.length > 1 ? words.indexOf(variable) + 1 : ''
    const own = isWordOfBits ? `${side === 'toCell' ? 'control' : 'state'}${suffix}` : fields[0].name
    return { variable, path: [`Vision_${own}`] }
  })
  return {
    placed,
    declarations: [
      `// ${labelList}`,
      'VAR_GLOBAL',
      ...placed.map(
        ({ variable, path: [label = ''] }) =>
          `   ${label} : ${variable.type};   // ${variable.name} · ${inOneLine(meaning(variable))}`,
      ),
      'END_VAR',
      '',
    ],
    notes: [],
  }
}
