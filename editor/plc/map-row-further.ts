import type { MapLine } from '../../lib/plc/data/map'
import type { Translator } from './translator'
import type { EditedRow } from './edited-row'
import { choice, entry } from './row-controls'

const areas = ['registers', 'coils', 'inputRegisters', 'discreteInputs'] as const

type Set = (changes: Partial<Record<keyof MapLine, unknown>>) => void

const isText = ({ type }: MapLine) => type === 'STRING' || type === 'bytes'

/** Whether a line has anything to set beside address, type and unit. */
export const hasFurther = ({ by, line: { line } }: EditedRow): boolean =>
  by === 'address' || isText(line) || line.type !== 'bit' || line.row === 'property'

const orders = ['ABCD', 'CDAB', 'BADC', 'DCBA'] as const
const isDouble = ({ type }: MapLine) => type === 'REAL' || type === 'DINT' || type === 'UDINT'

/** Orders that make a difference in a line. */
export const ordersOf = (line: MapLine): readonly string[] =>
  isDouble(line) ? orders : isText(line) ? ['ABCD', 'BADC'] : []

/** Memory, length, scale, order, and the path in the message, as far as the line has them. */
export function furtherControls(
  told: Translator,
  { line: { line, name, from }, place, by }: EditedRow,
  set: Set,
) {
  const at = (field: string) => `${String(place)}:${field}`
  const label = (field: string) => `${name}: ${told(`columns.${field}`)}`
  const labelled = (field: string, control: JQuery) =>
    $('<span>').append($('<small aria-hidden="true">').text(told(`columns.${field}`)), ' ', control)
  const names = Object.fromEntries(areas.map((area) => [area, told(`areas.${area}`)]))
  const number = (field: 'length' | 'scale' | 'index') =>
    entry(label(field), String(line[field] ?? ''), at(field), (text) => {
      const value = Number(text.replace(',', '.'))
      if (text.trim() !== '' && !Number.isFinite(value)) return told('badNumber')
      set({ [field]: text.trim() === '' ? undefined : value })
      return ''
    })
  const memory = choice(
    label('area'),
    from === 'plc' ? areas : areas.slice(0, 2),
    line.area ?? 'registers',
    at('area'),
    (area) =>
      set({
        area: area === 'registers' ? undefined : area,
        bit:
          line.type !== 'bit' || area === 'coils' || area === 'discreteInputs' ? undefined : (line.bit ?? 0),
      }),
    names,
  )
  return $('<div class="vision-plc-further">').append(
    by === 'address' ? labelled('area', memory) : $(),
    isText(line) ? labelled('length', number('length')) : $(),
    line.type !== 'bit' && !isText(line) ? labelled('scale', number('scale')) : $(),
    by === 'address' && ordersOf(line).length > 0
      ? labelled(
          'order',
          choice(
            label('order'),
            ['', ...ordersOf(line)],
            line.order ?? '',
            at('order'),
            (order) => set({ order }),
            { '': told('mapOrder') },
          ),
        )
      : $(),
    line.row === 'property'
      ? labelled(
          'path',
          entry(label('path'), line.path ?? '', at('path'), (path) => {
            set({ path: path.trim() })
            return undefined
          }),
        )
      : $(),
  )
}
