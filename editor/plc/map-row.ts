import type { MapLine } from '../../lib/plc/data/map'
import type { Change, EditedRow } from './edited-row'
import type { Translator } from './translator'
import { furtherControls, hasFurther, ordersOf } from './map-row-further'
import { choice, entry, rowButton } from './row-controls'

interface RowActions {
  change: Change
  remove: (place: number) => void
  /** Keys of the lines whose further settings are open. */
  open: Set<string>
  redraw: () => void
}

/** One line of the table, with its faults and its further settings below. */
export function mapRow(told: Translator, row: EditedRow, actions: RowActions): JQuery[] {
  const { line, place, by } = row
  const { change, remove, open, redraw } = actions
  const { key, name, from, isChanged, original, types, units, sample, faults } = line
  const given = line.line
  const set = (changes: Partial<Record<keyof MapLine, unknown>>) => change(place, withChanges(given, changes))
  const label = (column: string) => `${name}: ${told(`columns.${column}`)}`
  const at = (field: string) => `${String(place)}:${field}`

  const where =
    by === 'name'
      ? entry(label('name'), given.name ?? '', at('name'), (text) => {
          set({ name: text.trim() })
          return undefined
        })
      : entry(label('address'), addressText(given), at('address'), (text) => {
          const found = addressIn(text, given.type === 'bit' && !isCoil(given))
          if (found) set(found)
          return found ? '' : told('badAddress')
        })
  const type = choice(label('type'), types, given.type, at('type'), (chosen) =>
    set(typeChanges(given, chosen)),
  )
  const unit = units.length
    ? choice(label('unit'), ['', ...units], given.unit ?? '', at('unit'), (chosen) => set({ unit: chosen }), {
        '': told('noUnit'),
      })
    : $()
  const small = (icon: string, text: string, field: string, pressed: () => void) =>
    rowButton(icon, `${name}: ${text}`, text, at(field), pressed)
  const buttons = [
    hasFurther(row)
      ? small('ellipsis-h', told('further'), 'further', () => {
          if (!open.delete(key)) open.add(key)
          redraw()
        }).attr('aria-expanded', String(open.has(key)))
      : $(),
    original && isChanged ? small('undo', told('reset'), 'reset', () => change(place, original)) : $(),
    small('trash-o', told('remove'), 'remove', () => remove(place)),
  ]
  const cells = [
    $('<th scope="row">').append(
      $('<span>').attr('title', key).text(name),
      isChanged ? $('<em>').text(told(original ? 'changed' : 'added')) : $(),
      $('<small>').text(told(`from.${from}`)),
    ),
    $('<td>').append(where),
    $('<td>').append(type),
    $('<td>').append(unit),
    $('<td class="vision-plc-bytes">').append(
      sample ? [$('<code>').text(sample.words), $('<small>').text(sample.text)] : [],
    ),
    $('<td class="vision-plc-row-buttons">').append(buttons),
  ]
  const main = $('<tr>').toggleClass('vision-plc-changed', isChanged).append(cells)
  const below = [
    open.has(key) ? $('<td colspan="6">').append(furtherControls(told, row, set)) : undefined,
    faults.length ? $('<td colspan="6" class="vision-reason">').text(faults.join(' ')) : undefined,
  ]
  return [main, ...below.flatMap((cell) => (cell ? [$('<tr>').append(cell)] : []))]
}

const isCoil = ({ area }: MapLine) => area === 'coils' || area === 'discreteInputs'

/** A bit has a bit number in a word, everything else has none; only texts have a length. */
function typeChanges(line: MapLine, type: string): Partial<Record<keyof MapLine, unknown>> {
  const hasLength = type === 'STRING' || type === 'bytes'
  const needsBit = type === 'bit' && line.name === undefined && !isCoil(line)
  return {
    type,
    bit: needsBit ? (line.bit ?? 0) : undefined,
    length: hasLength ? (line.length ?? 16) : undefined,
    // A word has none; a text has fewer than a number.
    ...(line.order !== undefined &&
      !ordersOf({ ...line, type: type as MapLine['type'] }).includes(line.order) && { order: undefined }),
    ...((hasLength || type === 'bit') && { unit: undefined, scale: undefined }),
  }
}

/** Without what is empty: a property that is left out has its default. */
const withChanges = (line: MapLine, changes: Partial<Record<keyof MapLine, unknown>>): MapLine =>
  Object.fromEntries(
    Object.entries({ ...line, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as MapLine

/** `12`, or `12.3` for bit 3 of a register. */
const addressText = ({ address, bit }: MapLine): string =>
  address === undefined ? '' : bit === undefined ? String(address) : `${String(address)}.${String(bit)}`

/** @returns undefined where the text is no address */
function addressIn(text: string, isBit: boolean): Pick<MapLine, 'address' | 'bit'> | undefined {
  const found = /^\s*(\d{1,5})(?:\.(\d{1,2}))?\s*$/.exec(text)
  if (!found || (found[2] !== undefined && !isBit)) return undefined
  return { address: Number(found[1]), ...(isBit && { bit: Number(found[2] ?? 0) }) }
}
