import { identity, type Pose, type Vector } from '../../lib/robotics/pose'
import { returnCodeShape, type Environment, type Json, type Module } from '../module'
import {
  complete,
  InvalidArgument,
  named,
  notNegative,
  oneOf,
  positive,
  unlessZero,
  within,
  type PartialArguments,
  poseShape,
  vectorShape,
} from '../services/arguments'
import { recordServices, recordStore } from './record-store'

type Planar = { x: number; y: number }

/** A bin. All lengths in metres. */
export type LoadCarrier = {
  id: string
  type: 'STANDARD' | 'THREE_SIDED'
  inner_dimensions: Vector
  outer_dimensions: Vector
  rim_thickness: Planar
  rim_step_height: number
  rim_ledge: Planar
  height_open_side: number
  pose: Pose
  /** Empty if no pose is given. */
  pose_frame: '' | 'camera' | 'external'
  pose_type: 'NO_POSE' | 'ORIENTATION_PRIOR' | 'EXACT_POSE'
}

const loadCarrierShape = {
  id: 'string',
  type: 'string',
  inner_dimensions: vectorShape,
  outer_dimensions: vectorShape,
  rim_thickness: { x: 'float64', y: 'float64' },
  rim_step_height: 'float64',
  rim_ledge: { x: 'float64', y: 'float64' },
  height_open_side: 'float64',
  pose: poseShape,
  pose_frame: 'string',
  pose_type: 'string',
} as const

/** Smallest and largest outer dimensions, metres. */
const outerLimits = { x: [0.1, 2], y: [0.1, 2], z: [0.05, 2] } as const

/** Models of the load carriers for detection. */
export function loadCarrierDb({ changed }: Environment): Module {
  const carriers = recordStore<LoadCarrier>({ kind: 'load carrier', capacity: 50, changed })

  return {
    name: 'load_carrier_db',
    scope: 'global',
    parameters: [],
    services: {
      set_load_carrier: {
        description: 'Creates or overwrites one load carrier.',
        args: { load_carrier: loadCarrierShape },
        required: ['load_carrier'],
        response: returnCodeShape,
        call: ({ args }) =>
          carriers.set(() => loadCarrier(args.load_carrier as PartialArguments<LoadCarrier>)).answer,
      },
      ...recordServices(carriers, {
        kinds: 'load carriers',
        get: 'get_load_carriers',
        delete: 'delete_load_carriers',
        ids: 'load_carrier_ids',
        list: 'load_carriers',
        shape: loadCarrierShape,
      }),
    },
    save: () => ({ load_carriers: carriers.save() }),
    restore: (saved) => carriers.restore((saved as Record<string, Json | undefined>).load_carriers),
  }
}

function loadCarrier(given: PartialArguments<LoadCarrier>): LoadCarrier {
  const id = named(given.id, 'load_carrier.id')
  const type = oneOf(given.type ? given.type : 'STANDARD', ['STANDARD', 'THREE_SIDED'], 'load_carrier.type')
  const outer = given.outer_dimensions
  const outer_dimensions = {
    x: within(outer?.x, outerLimits.x, 'load_carrier.outer_dimensions.x'),
    y: within(outer?.y, outerLimits.y, 'load_carrier.outer_dimensions.y'),
    z: within(outer?.z, outerLimits.z, 'load_carrier.outer_dimensions.z'),
  }
  const inner = (axis: 'x' | 'y' | 'z') => {
    const length = positive(given.inner_dimensions?.[axis], `load_carrier.inner_dimensions.${axis}`)
    if (length < outer_dimensions[axis]) return length
    throw new InvalidArgument(
      `load_carrier.inner_dimensions.${axis} must be smaller than the outer dimension`,
    )
  }
  const inner_dimensions = { x: inner('x'), y: inner('y'), z: inner('z') }
  const rim = (axis: 'x' | 'y') => {
    const wall = (outer_dimensions[axis] - inner_dimensions[axis]) / 2
    const thickness = notNegative(given.rim_thickness?.[axis], `load_carrier.rim_thickness.${axis}`)
    return thickness === 0
      ? wall
      : within(thickness, [0, outer_dimensions[axis] / 2], `load_carrier.rim_thickness.${axis}`)
  }
  const below = (height: number | undefined, field: string) =>
    within(height ?? 0, [0, outer_dimensions.z], `load_carrier.${field}`)
  return {
    id,
    type,
    inner_dimensions,
    outer_dimensions,
    rim_thickness: { x: rim('x'), y: rim('y') },
    rim_step_height: below(given.rim_step_height, 'rim_step_height'),
    rim_ledge: {
      x: notNegative(given.rim_ledge?.x, 'load_carrier.rim_ledge.x'),
      y: notNegative(given.rim_ledge?.y, 'load_carrier.rim_ledge.y'),
    },
    height_open_side: below(given.height_open_side, 'height_open_side'),
    ...placed(given),
  }
}

/** A pose without a type is a prior; `NO_POSE` discards a given pose. */
function placed({ pose: given, pose_type, pose_frame }: PartialArguments<LoadCarrier>) {
  const pose = unlessZero(given)
  const types = ['NO_POSE', 'ORIENTATION_PRIOR', 'EXACT_POSE'] as const
  const type = oneOf(
    pose_type ? pose_type : pose ? 'ORIENTATION_PRIOR' : 'NO_POSE',
    types,
    'load_carrier.pose_type',
  )
  if (type === 'NO_POSE') return { pose: identity(), pose_frame: '' as const, pose_type: type }
  if (!pose) throw new InvalidArgument(`load_carrier.pose is missing, and pose_type is ${type}`)
  return {
    pose: complete(pose, 'load_carrier.pose'),
    pose_frame: oneOf(pose_frame, ['camera', 'external'], 'load_carrier.pose_frame'),
    pose_type: type,
  }
}
