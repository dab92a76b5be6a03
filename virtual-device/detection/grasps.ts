import {
  composed,
  distance,
  identity,
  inverted,
  type Pose,
  type Quaternion,
  rotated,
  type Vector,
  degrees,
  ofRotationVector,
  radians,
} from '../../lib/robotics/pose'
import { type Environment, type Json, returnCode, returnCodeShape, type ServiceDefinition } from '../module'
import {
  complete,
  InvalidArgument,
  named,
  notNegative,
  oneOf,
  type PartialArguments,
  positive,
  within,
  poseShape,
  vectorShape,
} from '../arguments'
import { answering, type Detection } from './answering'
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
import type { TemplateRecords } from './cad-objects'

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
export interface ObjectGrasp<Match> {
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
 * The reachable grasps on the detected objects, those of the highest priority first. Adds a remark if there are none.
 */
export function objectGrasps<Match extends Sortable>(
  environment: Environment,
  { args, parameters, remark }: Detection,
  { loadCarrier }: Pick<SearchResult, 'loadCarrier'>,
  matches: readonly Match[],
  grasps: readonly TemplateGrasp[],
  preferred: Pose,
): { grasps: ObjectGrasp<Match>[]; trimmed: boolean } {
  const { gripper_id: usual = '' } = (args.collision_detection ?? {}) as { gripper_id?: string }
  collisionOf(environment, args, loadCarrier)
  const checking = parameters.check_collisions === true || usual !== ''
  const colliders = new Map<string, (pose: Pose) => boolean>()
  const collides = (gripper: string, pose: Pose) => {
    const known = colliders.get(gripper) ?? collisionOf(environment, args, loadCarrier, gripper)
    colliders.set(gripper, known)
    return known(pose)
  }
  const threshold = Number(parameters.grasp_filter_orientation_threshold ?? 0)
  const highest = Math.max(...grasps.map(({ priority }) => priority))
  const poses = grasps
    .filter(({ priority }) => parameters.only_highest_priority_grasps !== true || priority === highest)
    .sort((one, other) => other.priority - one.priority)
    .flatMap((grasp) => replicated(grasp).map((pose) => ({ grasp, pose })))
    .slice(0, mostPossible / Math.max(1, matches.length))
  const possible = matches
    .flatMap((match) =>
      poses.map(({ grasp, pose }): ObjectGrasp<Match> => {
        const gripper_id = grasp.gripper_id || usual
        const collision_checked = checking && gripper_id !== '' && loadCarrier !== undefined
        return { match, grasp, gripper_id, pose: composed(match.pose, pose), collision_checked }
      }),
    )
    .sort((one, other) => other.grasp.priority - one.grasp.priority)
    .filter(({ pose }) => threshold === 0 || degrees(offPreferred(pose, preferred)) <= threshold)
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
  return { grasps: free, trimmed }
}

/** A grasp on the object of a template, in the object's frame. */
export type TemplateGrasp = {
  id: string
  template_id: string
  pose: Pose
  gripper_id: string
  /** -2 to 2. */
  priority: number
  /** Replicates the grasp about the x axis of `origin`. */
  replication: { origin: Pose; min_x_deg: number; max_x_deg: number; step_x_deg: number }
}

/** Our choice: smallest step, degrees, which limits the number of grasps. */
const smallestStep = 1

const replicationShape = {
  origin: poseShape,
  min_x_deg: 'float64',
  max_x_deg: 'float64',
  step_x_deg: 'float64',
} as const
const graspShape = {
  id: 'string',
  template_id: 'string',
  pose: poseShape,
  gripper_id: 'string',
  priority: 'int8',
  replication: replicationShape,
} as const
const bareShape = { pose: poseShape, replication: replicationShape, template_id: 'string' } as const

/** The services that store the grasps of templates. */
export function graspServices(grasps: TemplateRecords<TemplateGrasp>): Record<string, ServiceDefinition> {
  return {
    set_grasp: answering({
      description: 'Stores one grasp of a template.',
      args: { grasp: graspShape },
      required: ['grasp'],
      response: returnCodeShape,
      answer: ({ args }) =>
        grasps.set(() => templateGrasp(args.grasp as PartialArguments<TemplateGrasp>, 'grasp')),
    }),
    set_all_grasps: answering({
      description: 'Replaces all grasps of a template.',
      args: { grasps: [graspShape], template_id: 'string' },
      required: ['grasps', 'template_id'],
      response: returnCodeShape,
      answer: ({ args }) => {
        const template = grasps.assertTemplate(args.template_id as string, 'template_id')
        const given = args.grasps as PartialArguments<TemplateGrasp>[]
        grasps.setAll(
          template,
          given.map((grasp, index) => templateGrasp({ ...grasp, template_id: template }, `grasps[${index}]`)),
        )
        return undefined
      },
    }),
    get_grasps: answering({
      description: 'Returns grasps by their ids and templates; all where none are named.',
      args: { grasp_ids: ['string'], template_ids: ['string'] },
      response: { grasps: [graspShape], ...returnCodeShape },
      answer: ({ args }) => ({
        grasps: grasps.get(args.grasp_ids as string[] | undefined, args.template_ids as string[] | undefined),
      }),
    }),
    delete_grasps: answering({
      description: 'Deletes grasps of the templates that are named; all of them where no grasp is named.',
      args: { grasp_ids: ['string'], template_ids: ['string'] },
      response: returnCodeShape,
      answer: ({ args }) => {
        grasps.delete(args.grasp_ids as string[] | undefined, atLeastOne(args.template_ids))
        return undefined
      },
    }),
    get_symmetric_grasps: answering({
      description: 'Returns the copies of a grasp that the symmetry of its template gives.',
      args: { grasp: bareShape },
      required: ['grasp'],
      response: { grasps: [bareShape], ...returnCodeShape },
      // Our choice: the geometry of a template is unknown here, so none has a symmetry.
      answer: ({ args }) => {
        const { template_id, ...given } = args.grasp as PartialArguments<TemplateGrasp>
        const template = grasps.assertTemplate(template_id, 'grasp.template_id')
        const { pose, replication } = templateGrasp({ ...given, template_id: template, id: 'any' }, 'grasp')
        return { grasps: [{ pose, replication, template_id: template }] }
      },
    }),
  }
}

/** @throws InvalidArgument for an empty list, which must not delete everything */
export function atLeastOne(given: unknown): string[] {
  const ids = (given ?? []) as string[]
  if (ids.length === 0) throw new InvalidArgument('template_ids must not be empty')
  return ids
}

function templateGrasp(given: PartialArguments<TemplateGrasp>, field: string): TemplateGrasp {
  const { min_x_deg = 0, max_x_deg = 0, step_x_deg = 0, origin } = given.replication ?? {}
  const replication = {
    origin: complete(origin, `${field}.replication.origin`),
    min_x_deg: within(min_x_deg, [-180, 0], `${field}.replication.min_x_deg`),
    max_x_deg: within(max_x_deg, [0, 180], `${field}.replication.max_x_deg`),
    step_x_deg,
  }
  if (min_x_deg !== max_x_deg) within(step_x_deg, [smallestStep, 360], `${field}.replication.step_x_deg`)
  return {
    id: named(given.id, `${field}.id`),
    template_id: named(given.template_id, `${field}.template_id`),
    pose: complete(given.pose, `${field}.pose`),
    gripper_id: given.gripper_id ?? '',
    priority: within(given.priority ?? 0, [-2, 2], `${field}.priority`),
    replication,
  }
}

/** The poses of a grasp with all its replications, in the object's frame. */
function replicated({ pose, replication }: TemplateGrasp): Pose[] {
  const { origin, min_x_deg, max_x_deg, step_x_deg } = replication
  if (step_x_deg <= 0 || min_x_deg === max_x_deg) return [pose]
  const first = Math.ceil(min_x_deg / step_x_deg)
  const last = Math.floor(max_x_deg / step_x_deg)
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const angle = radians((first + index) * step_x_deg)
    const turn = { ...identity(), orientation: ofRotationVector({ x: angle, y: 0, z: 0 }) }
    return composed(composed(origin, turn), composed(inverted(origin), pose))
  })
}

/** Something that can be sorted. Poses in the camera's frame. */
export interface Sortable {
  pose: Pose
  /** Square metres. */
  area?: number
  /** 0 to 1. */
  score?: number
}

/** A preferred orientation in the camera's frame. */
export const preferredFromCamera = (
  { orientation, pose_frame }: PreferredOrientation,
  frames: Frames,
): Pose => frames.inCamera({ ...identity(), orientation }, pose_frame)

/** The angle between the orientation of a tool at that pose and the preferred one, radians. */
const offPreferred = (pose: Pose, preferred: Pose): number =>
  angleBetween(axisOf(pose, 'z'), axisOf(preferred, 'z'))

/** Sorts results by the strategies, the best first. Our choice without strategies: by the first of `byDefault`. */
export function sorted<Thing extends Sortable>(
  things: readonly Thing[],
  {
    strategies,
    byDefault,
    preferred,
    frames,
    scene,
  }: { strategies: SortingStrategies; byDefault: SortedBy; preferred: Pose; frames: Frames; scene: Scene },
): Thing[] {
  const up = axisOf(scene.floor, 'z')
  const { direction, distance_to_point: point } = strategies
  const rank: Record<SortedBy, (thing: Thing) => number> = {
    gravity: ({ pose }) => -dot(up, pose.position),
    surface_area: ({ area = 0 }) => -area,
    match_score: ({ score = 0 }) => -score,
    preferred_orientation: ({ pose }) => offPreferred(pose, preferred),
  }
  const byDirection = () => {
    const frame = frames.inCamera(identity(), direction.pose_frame || 'camera')
    const there = rotated(direction.vector, frame.orientation)
    return ({ pose }: Thing) => -dot(there, pose.position)
  }
  const byDistance = () => {
    const frame = { ...identity(), position: point.point }
    const { position } = frames.inCamera(frame, point.pose_frame || 'camera')
    return ({ pose }: Thing) => distance(pose.position, position) * (point.farthest_first ? -1 : 1)
  }
  const [by = byDefault] = Object.entries(strategies).flatMap(([name, { weight }]) =>
    weight > 0 ? [name] : [],
  )
  const ranked =
    by === 'direction' ? byDirection() : by === 'distance_to_point' ? byDistance() : rank[by as SortedBy]
  return [...things].sort((one, other) => ranked(one) - ranked(other))
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

/** The preferred orientation and the sorting strategies of a module, with the services that set and get them. */
export function preferences(more: readonly SortedBy[], changed: Environment['changed']) {
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
    preferred: () => preferred,
    strategies: () => strategies,
    resetStrategies: () => {
      strategies = noStrategies()
    },
    resetOrientation: () => {
      preferred = noOrientation()
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
