import { shown } from '../shared/shown'
import type { RecordKind } from '../../lib/contract/reading/record-kinds'
import { rules, type Rule } from './rules'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('database')

export type DeviceRecord = Readonly<Record<string, unknown>>

/** Tolerated deviation of a quaternion's length from 1: robots round quaternions to three or four digits. */
const quaternionTolerance = 0.01

/**
 * Checks a record before it is sent. Unknown fields are left to the device.
 * @throws INVALID_INPUT naming the field
 */
export function checkRecord(kind: RecordKind, record: DeviceRecord): void {
  for (const rule of rules[kind]) checkRule(rule, rule.path, record, '')
  checkRotations(record, '')
  if (kind === 'loadCarrier') checkWalls(record)
}

function checkRule(rule: Rule, path: string, record: DeviceRecord, place: string): void {
  const [list, below] = path.split('[].')
  if (below !== undefined && list !== undefined) {
    const elements = record[list] ?? []
    if (!Array.isArray(elements)) throw wrong(list, elements, '[…]')
    elements.forEach((element, index) => {
      const where = `${list}[${index}]`
      if (!isObject(element)) throw wrong(where, element, '{…}')
      checkRule(rule, below, element, `${where}.`)
    })
    return
  }
  if (rule.where && record[rule.where[0]] !== rule.where[1]) return
  checkValue(rule, at(record, path), place + path)
}

function checkValue({ is, optional, positive, signed }: Rule, value: unknown, field: string): void {
  if (value === undefined || value === null || value === '') {
    if (optional) return
    throw invalidInput('record-missing', { field })
  }
  if (is === 'text') {
    if (typeof value !== 'string' || !value.trim()) throw wrong(field, value, '"…"')
  } else if (typeof is !== 'string') {
    if (!is.includes(value as string)) throw wrong(field, value, is.join(', '))
  } else {
    const fits = typeof value === 'number' && Number.isFinite(value)
    if (!fits || (is === 'whole' && !Number.isInteger(value)))
      throw wrong(field, value, is === 'whole' ? '0, 1, 2 …' : '0.25')
    if (positive && value <= 0) throw wrong(field, value, '> 0')
    if (!signed && value < 0) throw wrong(field, value, '≥ 0')
  }
}

/** Every quaternion in the record must have length 1. */
function checkRotations(value: unknown, place: string): void {
  if (!isObject(value)) return
  for (const [key, part] of Object.entries(value)) {
    const field = Array.isArray(value) ? `${place}[${key}]` : place ? `${place}.${key}` : key
    if (key === 'orientation' && isObject(part)) {
      const { w = 0, x = 0, y = 0, z = 0 } = part as Record<string, number | undefined>
      if (!(Math.abs(Math.hypot(w, x, y, z) - 1) <= quaternionTolerance))
        throw wrong(field, part, 'w² + x² + y² + z² = 1')
    } else checkRotations(part, field)
  }
}

/** A load carrier must be larger outside than inside. */
function checkWalls(record: DeviceRecord): void {
  for (const axis of ['x', 'y', 'z']) {
    const field = `inner_dimensions.${axis}`
    const [inner, outer] = [at(record, field), at(record, `outer_dimensions.${axis}`)] as [number, number]
    if (inner >= outer) throw wrong(field, inner, `< outer_dimensions.${axis} (${outer})`)
  }
}

const wrong = (field: string, value: unknown, expected: string) =>
  invalidInput('record-value', { field, value: shown(value), expected })

const at = (record: DeviceRecord, path: string) =>
  path.split('.').reduce<unknown>((part, key) => (isObject(part) ? part[key] : undefined), record)

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
