import {
  composed,
  distance,
  identity,
  type Pose,
  type Quaternion,
  rotated,
  type Vector,
  degrees,
  ofRotationVector,
} from '../../lib/robotics/pose'
import { type Environment, type Json, returnCode, returnCodeShape, type ServiceDefinition } from '../module'
import {
  complete,
  InvalidArgument,
  notNegative,
  oneOf,
  type PartialArguments,
  positive,
  vectorShape,
} from '../arguments'
import { answering, type Detection, uuid } from './answering'
import { collisionCheck } from './collisions'
import {
  angleBetween,
  axisOf,
  dot,
  type FrameName,
  frameNames,
  type Frames,
  lengthOf,
  storedGripper,
} from './geometry'
import type { Scene, Surface } from './scene'
import type { SearchResult } from './load-carriers'
import { replicated, type TemplateGrasp } from './templates'

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

/** Candidates whose orientation is within the threshold of a module. */
const wellOriented = <Candidate extends Sortable>(
  candidates: readonly Candidate[],
  { grasp_filter_orientation_threshold: threshold = 0 }: Detection['parameters'],
  preferred: Pose,
): Candidate[] =>
  candidates.filter(
    ({ pose }) => Number(threshold) === 0 || degrees(offPreferred(pose, preferred)) <= Number(threshold),
  )

/** The grasps on these surfaces, the best first, at most `max_grasps`. Adds a remark if there are none. */
export function suctionGrasps(
  environment: Environment,
  { args, parameters, remark, took }: Detection,
  { loadCarrier }: SearchResult,
  surfaces: readonly Surface[],
  { preferred, sorted }: Order,
): SuctionGrasp[] {
  const cup = suctionCup(args)
  const collides = collisionOf(environment, args, loadCarrier)
  took('grasp_computation_time')
  const fitting = surfaces
    .filter(
      ({ length, width }) =>
        length >= Math.max(cup.length, cup.width) && width >= Math.min(cup.length, cup.width),
    )
    .map((surface): SuctionGrasp => {
      const along = composed(surface.pose, intoItem)
      const pose = parameters.allow_any_grasp_z_rotation === true ? turnedTowards(along, preferred) : along
      const quality = surface.item.coverage * Math.max(0, Math.cos(offPreferred(pose, preferred)))
      return { surface, pose, quality, area: surface.area }
    })
  const possible = wellOriented(fitting, parameters, preferred)
  const free = possible.filter(({ pose }) => !collides(pose))
  if (possible.length === 0) remark(101, 'no grasp was found')
  else if (free.length === 0) remark(103, 'all grasps collide with the load carrier')
  return sorted(free).slice(0, Number(parameters.max_grasps))
}

/** Nothing collides if no gripper is named, or no load carrier was requested. */
function collisionOf(
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

/** A grasp on one of the detected objects, in the camera's frame. */
interface ObjectGrasp<Match> {
  match: Match
  grasp: TemplateGrasp
  gripper_id: string
  pose: Pose
  collision_checked: boolean
}

/** Most grasps in an answer. */
const mostGrasps = 100
/** Our choice: most possible grasps that are checked. */
const mostPossible = 2000

/**
 * The detected objects and the reachable grasps on them as shown in answers, linked by uuids; those of the highest
 * priority first. Adds a remark if there are none.
 * @param matchUuid the field of a grasp that refers to its match
 */
export function objectGrasps<Match extends Sortable>(
  environment: Environment,
  given: Detection,
  { loadCarrier }: Pick<SearchResult, 'loadCarrier'>,
  matches: readonly Match[],
  grasps: readonly TemplateGrasp[],
  preferred: Pose,
  matchUuid: 'match_uuid' | 'instance_uuid',
) {
  const { args, parameters, remark } = given
  const { gripper_id: usual = '' } = (args.collision_detection ?? {}) as { gripper_id?: string }
  collisionOf(environment, args, loadCarrier)
  const checking = parameters.check_collisions === true || usual !== ''
  const colliders = new Map<string, (pose: Pose) => boolean>()
  const collides = (gripper: string, pose: Pose) => {
    const known = colliders.get(gripper) ?? collisionOf(environment, args, loadCarrier, gripper)
    colliders.set(gripper, known)
    return known(pose)
  }
  const highest = Math.max(...grasps.map(({ priority }) => priority))
  const poses = grasps
    .filter(({ priority }) => parameters.only_highest_priority_grasps !== true || priority === highest)
    .sort((one, other) => other.priority - one.priority)
    .flatMap((grasp) => replicated(grasp).map((pose) => ({ grasp, pose })))
    .slice(0, mostPossible / Math.max(1, matches.length))
  const all = matches.flatMap((match) =>
    poses.map(({ grasp, pose }): ObjectGrasp<Match> => {
      const gripper_id = grasp.gripper_id || usual
      const collision_checked = checking && gripper_id !== '' && loadCarrier !== undefined
      return { match, grasp, gripper_id, pose: composed(match.pose, pose), collision_checked }
    }),
  )
  all.sort((one, other) => other.grasp.priority - one.grasp.priority)
  const possible = wellOriented(all, parameters, preferred)
  const free: ObjectGrasp<Match>[] = []
  let trimmed = false
  for (const each of possible) {
    if (each.collision_checked && collides(each.gripper_id, each.pose)) continue
    trimmed = free.length === mostGrasps
    if (trimmed) break
    free.push(each)
  }
  if (matches.length > 0 && grasps.length > 0) {
    if (possible.length === 0) remark(101, 'no grasp can be reached')
    else if (free.length === 0) remark(103, 'all grasps collide')
    const unchecked = checking && possible.some(({ gripper_id }) => gripper_id === '')
    if (unchecked) remark(113, 'no gripper to check collisions with')
    if (parameters.check_collisions_during_retraction === true && (unchecked || !loadCarrier))
      remark(114, 'collisions during retraction are not checked: there is no gripper or no load carrier')
  }
  return { ...matchAnswer(given, environment.random, matches, free, matchUuid), trimmed }
}

/** Matches and their grasps as shown in answers, linked by uuids. */
function matchAnswer<Match extends Sortable>(
  { frames, look }: Pick<Detection, 'frames' | 'look'>,
  random: () => number,
  matches: readonly Match[],
  grasps: readonly ObjectGrasp<Match>[],
  matchUuid: 'match_uuid' | 'instance_uuid',
) {
  const placed = { pose_frame: frames.name, timestamp: look().timestamp }
  const named = matches.map((match) => ({ match, uuid: uuid(random) }))
  const shownGrasps = grasps.map(({ match, grasp, gripper_id, pose, collision_checked }) => ({
    match,
    shown: {
      ...placed,
      uuid: uuid(random),
      [matchUuid]: named.find((each) => each.match === match)?.uuid ?? '',
      id: grasp.id,
      gripper_id,
      priority: grasp.priority,
      collision_checked,
      pose: frames.answer(pose),
    },
  }))
  return {
    grasps: shownGrasps.map(({ shown }) => shown),
    matches: named.map(({ match, uuid: id }) => ({
      match,
      shown: {
        ...placed,
        uuid: id,
        pose: frames.answer(match.pose),
        grasp_uuids: shownGrasps.filter((each) => each.match === match).map(({ shown }) => shown.uuid),
      },
    })),
  }
}

/** Something that can be sorted. Poses in the camera's frame. */
export interface Sortable {
  pose: Pose
  /** Square metres. */
  area?: number
  /** 0 to 1. */
  score?: number
}

/** The angle between the orientation of a tool at that pose and the preferred one, radians. */
const offPreferred = (pose: Pose, preferred: Pose): number =>
  angleBetween(axisOf(pose, 'z'), axisOf(preferred, 'z'))

/** How the results of a detection are ordered. */
export interface Order {
  /** The preferred orientation of the tool, in the camera's frame. */
  preferred: Pose
  /** By the strategies, the best first. */
  sorted: <Thing extends Sortable>(things: readonly Thing[]) => Thing[]
}

function sorter(
  strategies: SortingStrategies,
  byDefault: SortedBy,
  preferred: Pose,
  frames: Frames,
  scene: Scene,
): Order['sorted'] {
  const up = axisOf(scene.floor, 'z')
  const { direction, distance_to_point: point } = strategies
  const rank: Record<SortedBy, (thing: Sortable) => number> = {
    gravity: ({ pose }) => -dot(up, pose.position),
    surface_area: ({ area = 0 }) => -area,
    match_score: ({ score = 0 }) => -score,
    preferred_orientation: ({ pose }) => offPreferred(pose, preferred),
  }
  const byDirection = () => {
    const frame = frames.inCamera(identity(), direction.pose_frame || 'camera')
    const there = rotated(direction.vector, frame.orientation)
    return ({ pose }: Sortable) => -dot(there, pose.position)
  }
  const byDistance = () => {
    const frame = { ...identity(), position: point.point }
    const { position } = frames.inCamera(frame, point.pose_frame || 'camera')
    return ({ pose }: Sortable) => distance(pose.position, position) * (point.farthest_first ? -1 : 1)
  }
  const [by = byDefault] = Object.entries(strategies).flatMap(([name, { weight }]) =>
    weight > 0 ? [name] : [],
  )
  const ranked =
    by === 'direction' ? byDirection() : by === 'distance_to_point' ? byDistance() : rank[by as SortedBy]
  return (things) => [...things].sort((one, other) => ranked(one) - ranked(other))
}

/** The preferred orientation of the tool. */
type PreferredOrientation = { orientation: Quaternion; pose_frame: FrameName }

/** Sort criteria of results besides a direction and a distance; each module supports some. */
type SortedBy = 'gravity' | 'surface_area' | 'match_score' | 'preferred_orientation'
type Weighted = { weight: number }
/** At most one weight is above 0. */
type SortingStrategies = {
  direction: Weighted & { pose_frame: FrameName | ''; vector: Vector }
  distance_to_point: Weighted & { pose_frame: FrameName | ''; point: Vector; farthest_first: boolean }
} & { [By in SortedBy]?: Weighted }

const orientationShape = {
  orientation: { w: 'float64', x: 'float64', y: 'float64', z: 'float64' },
  pose_frame: 'string',
} as const
const none = { x: 0, y: 0, z: 0 }

/**
 * The preferred orientation and the sorting strategies of a module, with the services that set and get them.
 * @param more what results can be sorted by; our choice without strategies: by the first
 */
export function preferences(more: readonly [SortedBy, ...SortedBy[]], changed: Environment['changed']) {
  const noOrientation = (): PreferredOrientation => ({
    orientation: identity().orientation,
    pose_frame: 'camera',
  })
  const noStrategies = (): SortingStrategies => ({
    direction: { pose_frame: '', vector: none, weight: 0 },
    distance_to_point: { pose_frame: '', point: none, farthest_first: false, weight: 0 },
    ...Object.fromEntries(more.map((by) => [by, { weight: 0 }])),
  })
  let preferred = noOrientation()
  let strategies = noStrategies()

  const strategiesShape = {
    direction: { pose_frame: 'string', vector: vectorShape, weight: 'float64' },
    distance_to_point: {
      farthest_first: 'bool',
      point: vectorShape,
      pose_frame: 'string',
      weight: 'float64',
    },
    ...Object.fromEntries(more.map((by) => [by, { weight: 'float64' } as const])),
  } as const

  const services: Record<string, ServiceDefinition> = {
    set_preferred_orientation: answering({
      description: 'Stores how the tool should be turned.',
      args: orientationShape,
      required: ['orientation', 'pose_frame'],
      response: returnCodeShape,
      answer: ({ args }) => {
        const { orientation, pose_frame } = args as PartialArguments<PreferredOrientation>
        preferred = {
          orientation: complete({ orientation: orientation ?? {} }, 'args').orientation,
          pose_frame: oneOf(pose_frame, frameNames, 'pose_frame'),
        }
        changed()
        return undefined
      },
    }),
    get_preferred_orientation: {
      description: 'Returns how the tool should be turned.',
      args: {},
      response: { ...orientationShape, ...returnCodeShape },
      call: () => ({ ...preferred, ...returnCode(0) }),
    },
    set_sorting_strategies: answering({
      description: 'Stores what the results are sorted by; one thing at most.',
      args: strategiesShape,
      response: returnCodeShape,
      answer: ({ args }) => {
        strategies = checked(args, noStrategies(), more)
        changed()
        return undefined
      },
    }),
    get_sorting_strategies: {
      description: 'Returns what the results are sorted by.',
      args: {},
      response: { ...strategiesShape, ...returnCodeShape },
      call: () => ({ ...strategies, ...returnCode(0) }),
    },
  }

  return {
    services,
    order: (frames: Frames, scene: Scene): Order => {
      const towards = frames.inCamera(
        { ...identity(), orientation: preferred.orientation },
        preferred.pose_frame,
      )
      return { preferred: towards, sorted: sorter(strategies, more[0], towards, frames, scene) }
    },
    resetStrategies: () => {
      strategies = noStrategies()
    },
    reset: () => {
      preferred = noOrientation()
      strategies = noStrategies()
    },
    save: (): Json => ({ preferred, strategies }),
    /** Missing values stay as they are. */
    restore: (saved: Json | undefined): void => {
      const kept = (saved ?? {}) as Partial<{
        preferred: PreferredOrientation
        strategies: SortingStrategies
      }>
      preferred = kept.preferred ?? preferred
      strategies = kept.strategies ?? strategies
    },
  }
}

function checked(
  given: PartialArguments<SortingStrategies>,
  empty: SortingStrategies,
  more: readonly SortedBy[],
): SortingStrategies {
  const weight = (by: keyof SortingStrategies) => notNegative(given[by]?.weight, `${by}.weight`)
  const direction = { ...empty.direction, ...given.direction, weight: weight('direction') }
  const distance = {
    ...empty.distance_to_point,
    ...given.distance_to_point,
    weight: weight('distance_to_point'),
  }
  const strategies: SortingStrategies = {
    direction: { ...direction, vector: { ...none, ...direction.vector } },
    distance_to_point: { ...distance, point: { ...none, ...distance.point } },
    ...Object.fromEntries(more.map((by) => [by, { weight: weight(by) }])),
  }
  const weighted = Object.entries(strategies).filter(([, by]) => by.weight > 0)
  if (weighted.length > 1)
    throw new InvalidArgument(
      `only one weight can be above 0, not those of ${weighted.map(([by]) => by).join(' and ')}`,
    )
  if (strategies.direction.weight > 0) {
    oneOf(strategies.direction.pose_frame, frameNames, 'direction.pose_frame')
    if (lengthOf(strategies.direction.vector) === 0)
      throw new InvalidArgument('direction.vector must not be 0')
  }
  if (strategies.distance_to_point.weight > 0)
    oneOf(strategies.distance_to_point.pose_frame, frameNames, 'distance_to_point.pose_frame')
  return strategies
}
