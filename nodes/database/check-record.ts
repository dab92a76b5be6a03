import type { RecordKind } from '../../lib/contract/reading/record-kinds'
import { sentencesOf } from '../sentences'
import { shown } from '../shared/shown'

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

/** The constraints of a field in a record; lengths in metres. */
interface Rule {
  /** Path in the record; `elements[]` is each element of a list. */
  path: string
  is: 'text' | 'number' | 'whole' | readonly string[]
  optional?: true
  /** Greater than 0; otherwise it may also be 0. */
  positive?: true
  signed?: true
  /** Applies only if the named sibling field has this value. */
  where?: readonly [field: string, value: string]
}

const id = { path: 'id', is: 'text' } as const

const size = (path: string, more: Partial<Rule> = {}) =>
  ['x', 'y', 'z'].map((axis) => ({ path: `${path}.${axis}`, is: 'number', positive: true, ...more }) as const)

const pose = (path: string): Rule[] => [
  ...['x', 'y', 'z'].map((axis) => number(`${path}.position.${axis}`)),
  ...['w', 'x', 'y', 'z'].map((part) => number(`${path}.orientation.${part}`)),
]

const number = (path: string): Rule => ({ path, is: 'number', optional: true, signed: true })

const notNegative = (path: string): Rule => ({ path, is: 'number', optional: true })

const frames = ['camera', 'external'] as const

/**
 * What every device requires of each kind of record; constraints that depend on the firmware are left to the device.
 */
const rules: Record<RecordKind, readonly Rule[]> = {
  region: [
    id,
    { path: 'type', is: ['BOX', 'SPHERE'] },
    ...size('box', { where: ['type', 'BOX'] }),
    { path: 'sphere.radius', is: 'number', positive: true, where: ['type', 'SPHERE'] },
    { path: 'pose_frame', is: frames },
    ...pose('pose'),
  ],
  region2d: [
    id,
    { path: 'offset_x', is: 'whole', optional: true },
    { path: 'offset_y', is: 'whole', optional: true },
    { path: 'width', is: 'whole', positive: true },
    { path: 'height', is: 'whole', positive: true },
  ],
  loadCarrier: [
    id,
    { path: 'type', is: ['STANDARD', 'THREE_SIDED'], optional: true },
    ...size('outer_dimensions'),
    ...size('inner_dimensions'),
    notNegative('rim_thickness.x'),
    notNegative('rim_thickness.y'),
    notNegative('rim_step_height'),
    notNegative('rim_ledge.x'),
    notNegative('rim_ledge.y'),
    notNegative('height_open_side'),
    { path: 'pose_type', is: ['NO_POSE', 'ORIENTATION_PRIOR', 'EXACT_POSE'], optional: true },
    { path: 'pose_frame', is: frames, where: ['pose_type', 'ORIENTATION_PRIOR'] },
    { path: 'pose_frame', is: frames, where: ['pose_type', 'EXACT_POSE'] },
    ...pose('pose'),
  ],
  gripper: [
    id,
    { path: 'flange_radius', is: 'number', positive: true },
    { path: 'tcp_parent_id', is: 'text', optional: true },
    ...pose('tcp_pose_parent'),
    { path: 'elements[].id', is: 'text' },
    { path: 'elements[].parent_id', is: 'text' },
    { path: 'elements[].type', is: ['BOX', 'CYLINDER', 'CAD'] },
    ...size('elements[].box', { where: ['type', 'BOX'] }),
    { path: 'elements[].cylinder.radius', is: 'number', positive: true, where: ['type', 'CYLINDER'] },
    { path: 'elements[].cylinder.height', is: 'number', positive: true, where: ['type', 'CYLINDER'] },
    { path: 'elements[].cad.id', is: 'text', where: ['type', 'CAD'] },
    ...pose('elements[].pose'),
  ],
}
