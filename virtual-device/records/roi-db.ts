import type { Pose, Vector } from '../../lib/robotics/pose'
import { returnCodeShape, type Environment, type Json, type Module } from '../module'
import {
  complete,
  named,
  notNegative,
  oneOf,
  positive,
  positiveVector,
  type PartialArguments,
  poseShape,
  vectorShape,
} from '../services/arguments'
import { recordServices, recordStore } from './record-store'

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

/** Regions of interest, in space and in the image. */
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
    save: () => ({ regions_of_interest: regions.save(), regions_of_interest_2d: regions2d.save() }),
    restore: (saved) => {
      const lists = saved as Record<string, Json | undefined>
      regions.restore(lists.regions_of_interest)
      regions2d.restore(lists.regions_of_interest_2d)
    },
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
