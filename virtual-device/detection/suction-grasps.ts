import { composed, type Pose, type Vector } from '../../lib/robotics/pose'
import { degrees, ofRotationVector } from '../../lib/robotics/quaternion'
import type { Environment } from '../module'
import { positive, type PartialArguments } from '../services/invalid-argument'
import { collisionCheck } from './collisions'
import type { Detection } from './detections'
import type { preferences } from './preferences'
import { storedGripper } from './records'
import type { SearchResult } from './search'
import { offPreferred, preferredFromCamera, sorted, type Sortable } from './sorting'
import type { Surface } from './surfaces'
import { axisOf, dot } from './vectors'

/** A grasp with a suction cup, in the camera's frame: z into the item, x along the longer edge. */
export interface SuctionGrasp extends Sortable {
  surface: Surface
  pose: Pose
  /** 0 to 1. */
  quality: number
}

const intoItem: Pose = {
  position: { x: 0, y: 0, z: 0 },
  orientation: ofRotationVector({ x: Math.PI, y: 0, z: 0 }),
}

/** Checks the suction cup, which every call requires; throws an InvalidArgument. */
export const suctionCup = (args: Record<string, unknown>) => ({
  length: positive(args.suction_surface_length as number | undefined, 'suction_surface_length'),
  width: positive(args.suction_surface_width as number | undefined, 'suction_surface_width'),
})

/** The grasps on these surfaces, the best first, at most `max_grasps`. Adds a remark if there are none. */
export function suctionGrasps(
  environment: Environment,
  { args, parameters, frames, remark, took }: Detection,
  { loadCarrier, scene }: SearchResult,
  surfaces: readonly Surface[],
  { preferred, strategies }: Pick<ReturnType<typeof preferences>, 'preferred' | 'strategies'>,
): SuctionGrasp[] {
  const cup = suctionCup(args)
  const towards = preferredFromCamera(preferred(), frames)
  const threshold = Number(parameters.grasp_filter_orientation_threshold)
  const collides = collisionOf(environment, args, loadCarrier)
  took('grasp_computation_time')
  const possible = surfaces
    .filter(
      ({ length, width }) =>
        length >= Math.max(cup.length, cup.width) && width >= Math.min(cup.length, cup.width),
    )
    .map((surface): SuctionGrasp => {
      const along = composed(surface.pose, intoItem)
      const pose = parameters.allow_any_grasp_z_rotation === true ? turnedTowards(along, towards) : along
      const quality = surface.item.coverage * Math.max(0, Math.cos(offPreferred(pose, towards)))
      return { surface, pose, quality, area: surface.area }
    })
    .filter(({ pose }) => threshold === 0 || degrees(offPreferred(pose, towards)) <= threshold)
  const free = possible.filter(({ pose }) => !collides(pose))
  if (possible.length === 0) remark(101, 'no grasp was found')
  else if (free.length === 0) remark(103, 'all grasps collide with the load carrier')
  const order = { strategies: strategies(), byDefault: 'gravity' as const, preferred: towards, frames, scene }
  return sorted(free, order).slice(0, Number(parameters.max_grasps))
}

/** Nothing collides if no gripper is named, or no load carrier was requested. */
export function collisionOf(
  environment: Environment,
  args: Record<string, unknown>,
  loadCarrier: SearchResult['loadCarrier'],
  gripperId?: string,
): (grasp: Pose) => boolean {
  const { gripper_id, pre_grasp_offset } = (args.collision_detection ?? {}) as PartialArguments<{
    gripper_id: string
    pre_grasp_offset: Vector
  }>
  const id = gripperId ? gripperId : gripper_id
  const gripper = id ? storedGripper(environment, id, 'collision_detection.gripper_id') : undefined
  if (!gripper || !loadCarrier) return () => false
  const { model } = loadCarrier
  const open = model.type === 'THREE_SIDED' ? { open: model.height_open_side } : {}
  const of = (name: string) => environment.parameter('collision_check', name)
  return collisionCheck(gripper, [{ bin: loadCarrier, ...open }], {
    parameters: {
      collision_dist: of('collision_dist'),
      check_bottom: of('check_bottom'),
      check_flange: of('check_flange'),
    },
    preGraspOffset: { x: 0, y: 0, z: 0, ...pre_grasp_offset },
  })
}

/** The grasp, rotated about its z so that its x is as close as possible to that of the preferred orientation. */
function turnedTowards(grasp: Pose, preferred: Pose): Pose {
  const wanted = axisOf(preferred, 'x')
  const angle = Math.atan2(dot(wanted, axisOf(grasp, 'y')), dot(wanted, axisOf(grasp, 'x')))
  const turn = ofRotationVector({ x: 0, y: 0, z: angle })
  return composed(grasp, { position: { x: 0, y: 0, z: 0 }, orientation: turn })
}
