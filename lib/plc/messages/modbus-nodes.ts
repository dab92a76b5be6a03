import { planWrites, type ModbusArea } from '../modbus'
import { keyOfWord, propertiesOf, type Item, type Reading } from './message'
import { withoutAddress } from './preset-lines'
import type { MessageProtocol } from './protocol'

/** `node-red-contrib-modbus`: *modbus-read* reads, *modbus-flex-write* writes. */
export const modbusNodes: MessageProtocol = {
  id: 'modbus',
  by: 'address',
  prefix: '',
  preset: (line) => ({ name: '', line: withoutAddress(line) }),
  read: (message, wanted) => {
    const { payload, modbusRequest, input } = propertiesOf(message)
    const request = propertiesOf(modbusRequest ?? propertiesOf(input)['payload'])
    const area = areas[Number(request['fc'])]
    const first = Number(request['address'])
    if (!Array.isArray(payload) || !area || !Number.isInteger(first)) return undefined
    return wordsRead(area, first, payload, wanted)
  },
  write: (items, isChanged) => {
    const byKey = new Map(items.map((item) => [item.key, item]))
    const words = items.flatMap(({ word }) => (word ? [word] : []))
    const requests = planWrites(words, ({ area, address }) => {
      const item = byKey.get(keyOfWord(area, address))
      return item !== undefined && isChanged(item)
    })
    return requests.map(({ area, address, values }) => ({
      items: values.flatMap((_, offset): Item[] => {
        const item = byKey.get(keyOfWord(area, address + offset))
        return item ? [item] : []
      }),
      message: {
        payload: { fc: area === 'coils' ? 15 : 16, address, quantity: values.length, value: values },
      },
    }))
  },
}

/** By function code. */
const areas: Readonly<Partial<Record<number, ModbusArea>>> = {
  1: 'coils',
  2: 'discreteInputs',
  3: 'registers',
  4: 'inputRegisters',
}

function wordsRead(
  area: ModbusArea,
  first: number,
  values: readonly unknown[],
  wanted: readonly string[],
): Reading | undefined {
  const known = new Set(wanted)
  const found = new Map<string, unknown>()
  values.forEach((value, offset) => {
    const key = keyOfWord(area, first + offset)
    if (known.has(key) && (typeof value === 'number' || typeof value === 'boolean'))
      found.set(key, Number(value))
  })
  return found.size > 0 ? { values: found, complete: false } : undefined
}
