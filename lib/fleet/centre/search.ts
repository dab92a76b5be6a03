import { Type, type Static } from '../../typebox'
import type { DeviceRow } from './rows'

const Word = Type.Optional(Type.String({ maxLength: 200 }))

/** Which devices are wanted; all conditions must hold. */
export const Search = Type.Object(
  {
    /** Part of any of its texts, in any case. */
    text: Word,
    plant: Word,
    /** `cell-7` in any plant, or `north/cell-7`. */
    cell: Word,
    device: Word,
    label: Word,
    model: Word,
    firmware: Word,
    link: Word,
    /** Whether it has a problem. */
    problem: Type.Optional(Type.Boolean()),
    /** Seconds for which its cell has not been seen. */
    notSeenFor: Type.Optional(Type.Number({ minimum: 0, maximum: 1e9 })),
  },
  { additionalProperties: false },
)
export type Search = Static<typeof Search>

/** Whether a device is among those wanted. */
export function matcher(search: Search): (row: DeviceRow) => boolean {
  const { text, plant, cell, device, label, model, firmware, link, problem, notSeenFor } = search
  const part = text?.toLowerCase()
  const is = (wanted: string | undefined, found: string) => wanted === undefined || wanted === found
  return (row) =>
    is(plant, row.plant) &&
    (cell === undefined || cell === row.cell || cell === `${row.plant}/${row.cell}`) &&
    is(device, row.device) &&
    (label === undefined || row.labels.includes(label)) &&
    is(model, row.model) &&
    is(firmware, row.firmware) &&
    is(link, row.link) &&
    (problem === undefined || problem === row.severity > 0) &&
    (notSeenFor === undefined || (!row.seen && row.age >= notSeenFor)) &&
    (part === undefined || textsOf(row).some((one) => one.toLowerCase().includes(part)))
}

const textsOf = (row: DeviceRow) => [
  row.address,
  row.host,
  row.model,
  row.serial,
  row.firmware,
  row.link,
  ...row.labels,
  ...row.problems,
]
