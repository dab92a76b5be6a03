import type { RecordKind } from '../../lib/contract/reading/record-kinds'

/** The constraints of a field in a record; lengths in metres. */
export interface Rule {
  /** Path in the record; `elements[]` stands for each element of a list. */
  path: string
  is: 'text' | 'number' | 'whole' | readonly string[]
  /** It may be missing or, if a text, empty. */
  optional?: true
  /** It must be greater than 0; without this it must only not be negative. */
  positive?: true
  /** It may be any number. */
  signed?: true
  /** Applies only if the named field beside it has this value. */
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
export const rules: Record<RecordKind, readonly Rule[]> = {
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
