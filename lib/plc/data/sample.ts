import type { RowName } from '../rows'
import { cellWords } from './cell-words'
import type { PlcMap } from './map'
import type { Slot } from './slots'
import { typedValue, type PlcValue } from './typed-value'

/** What a value of the map looks like in the PLC. */
export interface SampleValue {
  value: PlcValue
  /** Its registers or coils. */
  words: readonly number[]
}

/** Numbers that show signs, scales and orders; texts and poses have their own. */
const samples: Readonly<Partial<Record<RowName, number>>> = {
  command: 4,
  code: -8,
  counter: 1204,
  sequence: 1204,
  sequenceEcho: 1204,
  acquisitionId: 1204,
  duration: 43,
  job: 7,
  jobEcho: 7,
  count: 2,
  score: 0.87,
  argument: 123_456,
  life: 77,
  plcLife: 77,
}
/** Metres and radians. */
const lengths = [0.1234, -0.0567, 0.4321]
const angles = [10, -20, 90].map((degrees) => (degrees * Math.PI) / 180)

/** A sample of a value with its words. @returns undefined where the sample does not fit the type */
export function sampleOf(slot: Slot, map: PlcMap): SampleValue | undefined {
  const typed = typedValue(slot, rawSample(slot))
  if ('fault' in typed) return undefined
  const { value } = typed
  const orders = { order: map.order ?? 'ABCD', textOrder: map.textOrder ?? 'first-high' } as const
  return { value, words: cellWords([[slot, value]], orders).map((word) => word.value) }
}

function rawSample({ row, type, quantity, component }: Slot): unknown {
  if (type === 'bit') return true
  if (type === 'STRING') return 'A'
  if (type === 'bytes') return [1]
  const nth = (values: readonly number[]) => values[(component - 1) % values.length]
  if (quantity === 'length') return nth(lengths)
  if (quantity === 'angle') return nth(angles)
  return samples[row] ?? (row === 'pose' ? 0.5 : 12)
}
