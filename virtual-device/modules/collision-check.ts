import {
  complete,
  InvalidArgument,
  named,
  oneOf,
  positiveVector,
  type PartialArguments,
  poseShape,
  vectorShape,
  rounded,
} from '../arguments'
import { answering, ServiceFailure, twinsOf } from '../detection/answering'
import { collisionCheck, type Obstacle } from '../detection/collisions'
import { frameNames, planarShape, storedGripper } from '../detection/geometry'
import type { Bin } from '../detection/scene'
import type { Pose, Vector } from '../../lib/robotics/pose'
import { bool, float64, returnCodeShape, type Environment, type Module, type ServiceCall } from '../module'

const graspShape = { pose: poseShape, pose_frame: 'string', uuid: 'string' } as const
type Grasp = { pose: Pose; pose_frame: string; uuid: string }
type GivenBin = {
  id: string
  inner_dimensions: Vector
  outer_dimensions: Vector
  pose: Pose
  pose_frame: string
}

/** Any of these components includes it. */
const components = ['collision_check', 'itempick', 'boxpick', 'silhouettematch', 'cadmatch']
/** Our choice: pairs of a grasp and a load carrier; more would block the whole device. */
const mostPairs = 1000
const perGrasp = 0.002 // our choice: seconds per grasp

export function collisionChecking(environment: Environment): Module {
  let last = { grasps: 0, free: 0, time: 0 }

  const check = ({ args, parameters }: ServiceCall) => {
    const { gripper_id, pre_grasp_offset } = args as {
      gripper_id: string
      pre_grasp_offset?: PartialArguments<Vector>
    }
    const gripper = storedGripper(environment, named(gripper_id, 'gripper_id'), 'gripper_id')
    const given = (args.grasps ?? []) as PartialArguments<Grasp>[]
    const bins = (args.load_carriers ?? []) as PartialArguments<GivenBin>[]
    if (given.length * bins.length > mostPairs)
      throw new ServiceFailure(-10, `more than ${mostPairs} pairs of a grasp and a load carrier`)
    const frames = new Set(
      [...given, ...bins].map(({ pose_frame }) => oneOf(pose_frame, frameNames, 'pose_frame')),
    )
    if (frames.size > 1)
      throw new InvalidArgument('pose_frame: grasps and load carriers must share one frame')
    const collides = collisionCheck(gripper, bins.map(obstacle), {
      parameters,
      preGraspOffset: { x: 0, y: 0, z: 0, ...pre_grasp_offset },
    })
    const grasps = given.map(({ pose, pose_frame = '', uuid = '' }, index) => ({
      pose: complete(pose, `grasps[${index}].pose`),
      pose_frame,
      uuid,
    }))
    const colliding_grasps = grasps.filter(({ pose }) => collides(pose))
    const collision_free_grasps = grasps.filter((grasp) => !colliding_grasps.includes(grasp))
    last = {
      grasps: grasps.length,
      free: collision_free_grasps.length,
      time: rounded(grasps.length * perGrasp * (0.9 + 0.2 * environment.random())),
    }
    return { colliding_grasps, collision_free_grasps }
  }

  return {
    name: 'collision_check',
    scope: 'pipeline',
    license: components,
    parameters: [
      bool('check_bottom', true, 'Check for collisions with the bottom of the load carrier too'),
      bool('check_flange', true, 'Refuse grasps with the flange inside the load carrier'),
      float64('collision_dist', 0.01, [0, 0.1], 'Distance to be kept between gripper and load carrier', {
        unit: 'm',
      }),
    ],
    services: {
      check_collisions: answering({
        description: 'Splits grasps into those that collide and those that do not. Deprecated.',
        args: {
          grasps: [graspShape],
          gripper_id: 'string',
          load_carriers: [
            {
              id: 'string',
              inner_dimensions: vectorShape,
              outer_dimensions: vectorShape,
              pose: poseShape,
              pose_frame: 'string',
              rim_thickness: planarShape,
            },
          ],
          pre_grasp_offset: vectorShape,
        },
        required: ['grasps', 'gripper_id', 'load_carriers'],
        response: { colliding_grasps: [graspShape], collision_free_grasps: [graspShape], ...returnCodeShape },
        answer: check,
      }),
      ...twinsOf(environment, 'gripper_db'),
    },
    values: () => ({
      last_evaluated_grasps: last.grasps,
      last_collision_free_grasps: last.free,
      collision_check_time: last.time,
    }),
  }
}

function obstacle(given: PartialArguments<GivenBin>, index: number): Obstacle {
  const field = `load_carriers[${index}]`
  const bin: Bin = {
    inner: positiveVector(given.inner_dimensions, `${field}.inner_dimensions`),
    outer: positiveVector(given.outer_dimensions, `${field}.outer_dimensions`),
    pose: complete(given.pose, `${field}.pose`),
  }
  if ((['x', 'y', 'z'] as const).some((axis) => bin.inner[axis] >= bin.outer[axis]))
    throw new InvalidArgument(`${field}.inner_dimensions must be smaller than outer_dimensions`)
  return { bin }
}
