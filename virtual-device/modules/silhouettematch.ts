/** silhouettematch: objects by their outline on a calibrated base plane. */
import { inverted, type Pose, rotated, type Vector, degrees } from '../../lib/robotics/pose'
import {
  type Environment,
  type Json,
  returnCodeShape,
  type ServiceDefinition,
  type DeviceEnvironment,
  type Module,
  partsOf,
  bool,
  choice,
  float64,
  int32,
  type ParameterDefinition,
} from '../module'
import {
  InvalidArgument,
  oneOf,
  type PartialArguments,
  within,
  vectorShape,
  timestampShape,
} from '../arguments'
import { answering, depthRange, ServiceFailure, type Detection, detections } from '../detection/answering'
import {
  angleBetween,
  areaOf,
  axisOf,
  dot,
  type FrameName,
  Frames,
  frameShape,
  type HandEye,
  handEyeOf,
  lengthOf,
  measured,
  pointIn,
  scaled,
  viewOf,
  collisionDetectionShape,
  foundLoadCarrierShape,
  objectGraspShape,
  placedShape,
} from '../detection/geometry'
import { sceneSource } from '../detection/scene'
import { graspServices, type TemplateGrasp, templateRecords } from '../detection/templates'
import { objectGrasps, preferences } from '../detection/grasps'
import { search } from '../detection/load-carriers'

/** In the frame in which it was calibrated. */
type BasePlane = { plane: Plane; pose_frame: FrameName; handEye: Json }

function basePlane(environment: Environment, { service }: ReturnType<typeof detections>) {
  const { changed } = environment
  let stored: BasePlane | undefined

  const calibrate = (detection: Detection) => {
    const { frames } = detection
    const plane = findBasePlane(environment, detection)
    const inFrame = planeFrom(frames.camera(frames.name), plane)
    stored = { plane: inFrame, pose_frame: frames.name, handEye: asJson(frames.handEye) }
    changed()
    return { plane: { ...inFrame, pose_frame: frames.name } }
  }

  const services: Record<string, ServiceDefinition> = {
    calibrate_base_plane: service({
      description: 'Calibrates the plane on which the objects lie, and stores it.',
      args: {
        ...frameShape,
        offset: 'float64',
        plane: { normal: planeShape.normal, distance: planeShape.distance },
        plane_estimation_method: 'string',
        region_of_interest_2d_id: 'string',
        stereo: { plane_preference: 'string' },
      },
      required: ['pose_frame', 'plane_estimation_method'],
      response: { plane: planeShape, timestamp: timestampShape, ...returnCodeShape },
      detect: calibrate,
    }),
    get_base_plane_calibration: answering({
      description: 'Returns the base plane.',
      args: frameShape,
      required: ['pose_frame'],
      response: { plane: planeShape, ...returnCodeShape },
      answer: ({ args }, remark) => {
        const frames = new Frames(args, handEyeOf(environment))
        if (!stored) throw new ServiceFailure(-8, 'no base plane is calibrated')
        const { plane, pose_frame } = stored
        const shown =
          pose_frame === frames.name
            ? plane
            : planeFrom(frames.camera(frames.name), planeFrom(inverted(frames.camera(pose_frame)), plane))
        if (frames.robotPoseIsSuperfluous) remark(300, 'robot_pose was given, but is not needed')
        return { plane: { ...shown, pose_frame: frames.name } }
      },
    }),
    delete_base_plane_calibration: answering({
      description: 'Deletes the base plane.',
      args: {},
      response: returnCodeShape,
      answer: () => {
        stored = undefined
        changed()
        return undefined
      },
    }),
  }

  return {
    services,
    /** @throws ServiceFailure if a detection cannot use it */
    assertUsable: ({ frames, remark }: Pick<Detection, 'frames' | 'remark'>) => {
      if (!stored)
        throw new ServiceFailure(-8, 'no base plane is calibrated, and object_plane_detection is not set')
      if (stored.pose_frame === 'camera') return
      if (JSON.stringify(stored.handEye) !== JSON.stringify(asJson(handEyeOf(environment))))
        throw new ServiceFailure(-102, 'the hand-eye calibration changed since the base plane was calibrated')
      if (frames.reachesExternal) frames.camera('external')
      else remark(107, 'the base plane is not moved to the present pose: robot_pose is missing')
    },
    save: (): Json => stored ?? null,
    /** Missing values stay as they are. */
    restore: (saved: Json | undefined): void => {
      if (saved !== undefined) stored = (saved ?? undefined) as BasePlane | undefined
    },
  }
}

const asJson = (handEye: HandEye | undefined): Json =>
  handEye ? { pose: handEye.pose, robot_mounted: handEye.robot_mounted } : null

const mostTilt = 10 // largest tilt against the image plane, degrees

const enoughTags = 3 // our choice: fewest tags that define a plane

/** In the camera's frame. @throws InvalidArgument; ServiceFailure if there is none, or if it is tilted too much */
function findBasePlane(environment: Environment, { args, frames, look }: Detection): Plane {
  const method = oneOf(
    args.plane_estimation_method as string,
    ['STEREO', 'APRILTAG', 'MANUAL'],
    'plane_estimation_method',
  )
  const given =
    method === 'MANUAL' ? planeFrom(inverted(frames.camera(frames.name)), manual(args.plane)) : undefined
  const area = areaOf(args, environment, frames, viewOf(environment))
  look()
  const found = given ?? (method === 'STEREO' ? surface(environment, args) : floorByTags(environment, area))
  const plane = nearer(found, (args.offset ?? 0) as number)
  const tilt = degrees(angleBetween(plane.normal, { x: 0, y: 0, z: 1 }))
  if (tilt <= mostTilt) return plane
  throw new ServiceFailure(
    -104,
    `the base plane is tilted by ${tilt.toFixed(1)} degrees, more than ${mostTilt}`,
  )
}

/** The floor or, if the closest plane is requested, that of the load carrier's rim. */
function surface(environment: Environment, args: Record<string, unknown>): Plane {
  const { plane_preference } = (args.stereo ?? {}) as PartialArguments<{ plane_preference: string }>
  const preference = oneOf(
    plane_preference ? plane_preference : 'FARTHEST',
    ['CLOSEST', 'FARTHEST'],
    'stereo.plane_preference',
  )
  const { floor, bin, settings } = environment.ofPipeline(sceneSource)()
  const top = bin && { ...bin.pose, position: pointIn(bin.pose, { x: 0, y: 0, z: bin.outer.z / 2 }) }
  const plane = planeOf(
    measured(preference === 'CLOSEST' && top ? top : floor, environment.random, settings.noise),
  )
  const [nearest, farthest] = depthRange(environment)
  if (plane.distance >= nearest && plane.distance <= farthest) return plane
  throw new ServiceFailure(-101, 'no plane was found between mindepth and maxdepth')
}

/** The floor, if enough tags lie on it. */
function floorByTags(environment: Environment, area: (point: Vector) => boolean): Plane {
  const { tags, floor, settings } = environment.ofPipeline(sceneSource)()
  const seen = tags.filter(({ kind, inverted, pose }) => kind === 'april' && !inverted && area(pose.position))
  if (seen.length >= enoughTags) return planeOf(measured(floor, environment.random, settings.noise))
  throw new ServiceFailure(
    -101,
    `no plane: ${seen.length} AprilTags are in view, and ${enoughTags} are needed`,
  )
}

/** Our choice: the length of a normal may deviate as much as by rounding. */
function manual(given: unknown): Plane {
  const { normal, distance } = (given ?? {}) as PartialArguments<Plane>
  const full = { x: 0, y: 0, z: 0, ...normal }
  if (distance === undefined) throw new InvalidArgument('plane.distance is missing')
  within(lengthOf(full), [0.99, 1.01], 'the length of plane.normal')
  return { normal: full, distance }
}

/**
 * All points whose product with the normal is the distance. Our choice: the normal of a detected plane points away from
 * the camera, so that its distance in the camera's frame is positive.
 */
type Plane = { normal: Vector; distance: number }

const planeShape = { normal: vectorShape, distance: 'float64', pose_frame: 'string' } as const

/** The xy plane of a frame. */
export function planeOf(pose: Pose): Plane {
  const normal = axisOf(pose, 'z')
  const distance = dot(normal, pose.position)
  return distance < 0 ? { normal: scaled(normal, -1), distance: -distance } : { normal, distance }
}

/** Transforms a plane from the frame with that pose to the frame in which the pose is given. */
export function planeFrom(pose: Pose, { normal, distance }: Plane): Plane {
  const turned = rotated(normal, pose.orientation)
  return { normal: turned, distance: distance + dot(turned, pose.position) }
}

/** The plane moved against its normal, towards the camera. @param by metres */
const nearer = ({ normal, distance }: Plane, by: number): Plane => ({
  normal,
  distance: distance - by,
})

/** The grasps of all templates, for all pipelines. */
const silhouetteGrasps = ({ templates, changed }: DeviceEnvironment) =>
  templateRecords<TemplateGrasp>({
    kind: 'grasp',
    capacity: 50,
    templates: () => templates('silhouettematch'),
    changed,
  })

/** Our choice: the smallest matched share of a silhouette; 1 where the object is seen best. */
const leastMatched = 0.85

/** Detects objects on a plane by their outlines. */
export function silhouetteMatch(environment: Environment): Module {
  const { random, changed, ofDevice } = environment
  const grasps = ofDevice(silhouetteGrasps)
  const wishes = preferences(['preferred_orientation'], changed)
  const detection = detections(environment, {
    durations: { load_carrier_detection_time: 0.35, processing_time: 0.4 },
  })
  const plane = basePlane(environment, detection)

  const detect = (given: Detection) => {
    const { args, parameters, frames, remark } = given
    const { object_id, region_of_interest_2d_id } = (args.object_to_detect ?? {}) as {
      object_id?: string
      region_of_interest_2d_id?: string
    }
    const object = grasps.assertTemplate(object_id, 'object_to_detect.object_id')
    if (args.object_plane_detection !== true) plane.assertUsable(given)
    const found = search(environment, {
      ...given,
      args: { ...args, ...(region_of_interest_2d_id && { region_of_interest_2d_id }) },
    })
    const { load_carriers, scene } = found
    const answer = { object_id: object, load_carriers }
    if (found.nothing) return answer

    const { preferred, sorted } = wishes.order(frames, scene)
    const share = (score: number) => leastMatched + (1 - leastMatched) * score
    const matching = found.items
      .filter(({ curved, score }) => curved && share(score) >= Number(parameters.match_percentile))
      .map(({ pose }) => ({ pose: measured(pose, random, scene.settings.noise) }))
    const instances = sorted(matching).slice(0, Number(parameters.max_number_of_detected_objects))
    if (instances.length === 0) remark(101, `no object '${object}' was found`)
    const known = grasps.get([], [object])
    const shown = objectGrasps(environment, given, found, instances, known, preferred, 'instance_uuid')
    return {
      ...answer,
      grasps: shown.grasps,
      instances: shown.matches.map((match) => ({ ...match.shown, id: match.shown.uuid, object_id: object })),
    }
  }

  return {
    name: 'silhouettematch',
    scope: 'pipeline',
    license: 'silhouettematch',
    parameters: silhouetteMatchParameters,
    services: {
      detect_object: detection.service({
        description: 'Detects the objects of one template.',
        args: {
          ...frameShape,
          object_to_detect: { object_id: 'string', region_of_interest_2d_id: 'string' },
          object_plane_detection: 'bool',
          offset: 'float64',
          load_carrier_id: 'string',
          collision_detection: collisionDetectionShape,
        },
        required: ['pose_frame', 'object_to_detect.object_id'],
        response: {
          grasps: [{ ...objectGraspShape, instance_uuid: 'string' }],
          instances: [
            { ...placedShape, uuid: 'string', id: 'string', object_id: 'string', grasp_uuids: ['string'] },
          ],
          load_carriers: [foundLoadCarrierShape],
          object_id: 'string',
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        detect,
      }),
      ...plane.services,
      ...wishes.services,
      ...graspServices(grasps),
      ...detection.services,
    },
    values: detection.values,
    reset: wishes.reset,
    templateDeleted: grasps.forget,
    ...partsOf({ preferences: wishes, base_plane: plane, grasps }),
  }
}

/** Parameters of both modules that match objects. */
export const matchParameters: readonly ParameterDefinition[] = [
  bool('check_collisions', false, 'Check grasps that have a gripper for collisions'),
  bool(
    'check_collisions_during_retraction',
    false,
    'Check the held object against the load carrier while it leaves',
  ),
  bool('check_collisions_with_matches', true, 'Check the gripper against the other objects that were found'),
  bool('check_collisions_with_point_cloud', false, 'Check the gripper against the point cloud'),
  bool('only_highest_priority_grasps', false, 'Return the grasps of the highest priority only'),
]

const silhouetteMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  bool('check_collisions_with_base_plane', true, 'Check the gripper against the base plane'),
  float64('edge_sensitivity', 0.7, [0.1, 1], 'Sensitivity of the edge detector'),
  float64('match_max_distance', 3, [0.1, 10], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('match_percentile', 0.8, [0.7, 1], 'Share of the template that has to match'),
  int32('max_number_of_detected_objects', 10, [1, 20], 'Most objects returned'),
  choice(
    'point_cloud_enhancement',
    'Off',
    ['Off', 'ReplaceBright'],
    'Repair of the point cloud by the base plane',
  ),
  choice('quality', 'High', ['Low', 'Medium', 'High'], 'Resolution of the image for matching'),
]
