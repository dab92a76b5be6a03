import { text } from '../dialog'
import { numberIn } from '../quantity/number-in'
import { isObject } from '../is-object'
import { at, put, type Json } from './paths'
import { fromDegrees, toDegrees } from './rotation'

/** The matching elements in a part of the form, except those in its list elements. */
export const ownIn = (part: JQuery, selector: string) =>
  part.find(selector).filter((_index, found) => listOf($(found)) === listOf(part))
const listOf = (part: JQuery) => part.closest('[data-list]')[0]

/** Shows a record in the controls of a part of the form. @param scale factor of lengths: 1000 shows millimetres */
export function show(part: JQuery, record: Json, scale: number) {
  ownIn(part, '[data-path]').each((_index, control) => {
    const { path = '', measure, part: axis = '' } = control.dataset
    const value = at(record, path)
    if (measure === 'angle') {
      const angles: Record<string, number> | undefined = isObject(value) ? toDegrees(value) : undefined
      $(control).val(angles ? rounded(angles[axis] ?? 0) : '')
    } else if (typeof value === 'number')
      $(control).val(rounded(measure === 'length' ? value * scale : value))
    else if (value !== undefined || !$(control).is('select')) $(control).val(text(value))
  })
}

/** The unit of a control by its measure. @param scale factor of lengths: 1000 shows millimetres */
export const unitOfMeasure = (measure: string | undefined, scale: number): string =>
  ({ length: scale === 1000 ? 'mm' : 'm', angle: '°', pixels: 'px' })[measure ?? ''] ?? ''

/** Reads the record from the controls of a part; leaves out hidden and empty ones. */
export function collect(part: JQuery, scale: number): Json {
  const record: Json = {}
  const angles = new Map<string, Record<string, unknown>>()
  ownIn(part, '[data-path]').each((_index, control) => {
    if ($(control).closest('[hidden]').length) return
    const { path = '', measure, part: axis = '' } = control.dataset
    const given = text($(control).val()).trim()
    if (given === '') return
    if (measure === undefined) {
      put(record, path, given)
      return
    }
    const found = numberIn(given, unitOfMeasure(measure, scale))
    // Text that is not a number is kept, so that it is not lost; the node rejects it by name.
    const value = 'value' in found ? found.value : given
    if (measure === 'angle') angles.set(path, { ...angles.get(path), [axis]: value })
    else put(record, path, measure === 'length' && typeof value === 'number' ? exact(value / scale) : value)
  })
  for (const [path, { x = 0, y = 0, z = 0 }] of angles) {
    const given = [x, y, z]
    put(record, path, given.every(isNumber) ? fromDegrees(given) : { given })
  }
  return record
}

const isNumber = (value: unknown) => typeof value === 'number'
/** Without the rounding error of a division by 1000. */
const exact = (value: number) => Number(value.toPrecision(12))
const rounded = (value: number) => String(Number(value.toFixed(6)) + 0)
