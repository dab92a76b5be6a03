/** The databases of grippers, load carriers and regions of interest. In: records. Out: records, checked and persisted. */
import type { Shape } from '../../lib/contract'
import { identity, type Pose, type Vector } from '../../lib/robotics/pose'
import {
  type Environment,
  type Json,
  type Module,
  partsOf,
  returnCode,
  returnCodeShape,
  type ServiceDefinition,
} from '../module'
import {
  codeOf,
  complete,
  InvalidArgument,
  named,
  notNegative,
  oneOf,
  type PartialArguments,
  poseShape,
  positive,
  positiveVector,
  unlessZero,
  vectorShape,
  within,
} from '../arguments'

/** A database record; a type and not an interface, because only a type is assignable to JSON. */
export type StoredRecord = { id: string; [field: string]: Json }

type RecordAnswer = ReturnType<typeof returnCode>

export type RecordStore<Stored extends StoredRecord> = ReturnType<typeof recordStore<Stored>>

export function recordStore<Stored extends StoredRecord>({
  kind,
  capacity,
  changed,
}: {
  kind: string
  capacity: number
  changed: Environment['changed']
}) {
  const records = new Map<string, Stored>()

  const put = (record: Stored): { answer: RecordAnswer; stored?: Stored } => {
    const overwritten = records.has(record.id)
    if (!overwritten && records.size >= capacity)
      return { answer: returnCode(-10, `not stored: at most ${capacity} ${kind} records are possible`) }
    records.set(record.id, record)
    changed()
    const remarks = [
      ...(records.size === capacity
        ? [{ value: 10, message: `stored as the last of ${capacity} possible ${kind} records` }]
        : []),
      ...(overwritten ? [{ value: 11, message: `overwrote the ${kind} '${record.id}'` }] : []),
    ]
    return { stored: record, answer: codeOf(remarks) }
  }

  return {
    /** Stores what `make` returns; answers -1 if it throws an InvalidArgument. */
    set: (make: () => Stored): { answer: RecordAnswer; stored?: Stored } => {
      try {
        return put(make())
      } catch (error) {
        if (error instanceof InvalidArgument) return { answer: returnCode(-1, error.message) }
        throw error
      }
    },
    /** All records if no ids are given. Unknown ids are skipped. */
    get: (ids: readonly string[] = []): Stored[] =>
      ids.length === 0
        ? [...records.values()]
        : [...new Set(ids)].map((id) => records.get(id)).filter((record) => record !== undefined),
    delete: (ids: readonly string[] = []): RecordAnswer => {
      const deleted = ids.filter((id) => records.delete(id))
      if (deleted.length > 0) changed()
      return returnCode(0)
    },
    save: (): Json => [...records.values()],
    restore: (saved: Json | undefined): void => {
      records.clear()
      for (const record of (saved ?? []) as Stored[]) records.set(record.id, record)
    },
  }
}

/** The services that list and delete the records of one kind. */
export function recordServices<Stored extends StoredRecord>(
  { get, delete: remove }: Pick<RecordStore<Stored>, 'get' | 'delete'>,
  names: {
    kinds: string
    get: string
    delete: string
    ids: string
    list: string
    shape: Shape
  },
): Record<string, ServiceDefinition> {
  const ids = (args: Record<string, unknown>) => args[names.ids] as string[] | undefined
  return {
    [names.get]: {
      description: `Returns ${names.kinds} by id; all of them where no id is given.`,
      args: { [names.ids]: ['string'] },
      response: { [names.list]: [names.shape], ...returnCodeShape },
      call: ({ args }) => ({ [names.list]: get(ids(args)), ...returnCode(0) }),
    },
    [names.delete]: {
      description: `Deletes the ${names.kinds} that are named.`,
      args: { [names.ids]: ['string'] },
      response: returnCodeShape,
      call: ({ args }) => remove(ids(args)),
    },
  }
}

export type Region = {
  id: string
  type: 'BOX' | 'SPHERE'
  /** Edge lengths, metres. */
  box: Vector
  /** Metres. */
  sphere: { radius: number }
  pose: Pose
  pose_frame: 'camera' | 'external'
}

/** Pixels of the full left image. */
export type Region2d = { id: string; offset_x: number; offset_y: number; width: number; height: number }

const regionShape = {
  id: 'string',
  type: 'string',
  box: vectorShape,
  sphere: { radius: 'float64' },
  pose: poseShape,
  pose_frame: 'string',
} as const

const region2dShape = {
  id: 'string',
  offset_x: 'uint32',
  offset_y: 'uint32',
  width: 'uint32',
  height: 'uint32',
} as const

export function roiDb({ changed }: Environment): Module {
  const regions = recordStore<Region>({ kind: 'region of interest', capacity: 100, changed })
  const regions2d = recordStore<Region2d>({ kind: '2D region of interest', capacity: 100, changed })

  return {
    name: 'roi_db',
    scope: 'global',
    parameters: [],
    services: {
      set_region_of_interest: {
        description: 'Creates or overwrites one 3D region of interest.',
        args: { region_of_interest: regionShape },
        required: ['region_of_interest'],
        response: returnCodeShape,
        call: ({ args }) =>
          regions.set(() => region(args.region_of_interest as PartialArguments<Region>)).answer,
      },
      ...recordServices(regions, {
        kinds: '3D regions of interest',
        get: 'get_regions_of_interest',
        delete: 'delete_regions_of_interest',
        ids: 'region_of_interest_ids',
        list: 'regions_of_interest',
        shape: regionShape,
      }),
      set_region_of_interest_2d: {
        description: 'Creates or overwrites one 2D region of interest.',
        args: { region_of_interest_2d: region2dShape },
        required: ['region_of_interest_2d'],
        response: returnCodeShape,
        call: ({ args }) =>
          regions2d.set(() => region2d(args.region_of_interest_2d as PartialArguments<Region2d>)).answer,
      },
      ...recordServices(regions2d, {
        kinds: '2D regions of interest',
        get: 'get_regions_of_interest_2d',
        delete: 'delete_regions_of_interest_2d',
        ids: 'region_of_interest_2d_ids',
        // Without `_2d`, unlike everything else of these services.
        list: 'regions_of_interest',
        shape: region2dShape,
      }),
    },
    ...partsOf({ regions_of_interest: regions, regions_of_interest_2d: regions2d }),
  }
}

function region(given: PartialArguments<Region>): Region {
  const id = named(given.id, 'region_of_interest.id')
  const type = oneOf(given.type, ['BOX', 'SPHERE'], 'region_of_interest.type')
  const none = { x: 0, y: 0, z: 0 }
  return {
    id,
    type,
    box: type === 'BOX' ? positiveVector(given.box, 'region_of_interest.box') : none,
    sphere: {
      radius: type === 'SPHERE' ? positive(given.sphere?.radius, 'region_of_interest.sphere.radius') : 0,
    },
    pose: complete(given.pose, 'region_of_interest.pose'),
    pose_frame: oneOf(given.pose_frame, ['camera', 'external'], 'region_of_interest.pose_frame'),
  }
}

const region2d = (given: PartialArguments<Region2d>): Region2d => ({
  id: named(given.id, 'region_of_interest_2d.id'),
  offset_x: notNegative(given.offset_x, 'region_of_interest_2d.offset_x'),
  offset_y: notNegative(given.offset_y, 'region_of_interest_2d.offset_y'),
  width: positive(given.width, 'region_of_interest_2d.width'),
  height: positive(given.height, 'region_of_interest_2d.height'),
})

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
    ...partsOf({ load_carriers: carriers }),
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
