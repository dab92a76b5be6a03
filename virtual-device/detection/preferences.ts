import { identity, type Quaternion, type Vector } from '../../lib/robotics/pose'
import { returnCode, returnCodeShape, type Environment, type Json, type ServiceDefinition } from '../module'
import {
  complete,
  InvalidArgument,
  notNegative,
  oneOf,
  type PartialArguments,
} from '../services/invalid-argument'
import { vectorShape } from '../services/pose-shape'
import { answering } from './answering'
import { frameNames, type FrameName } from './frames'
import { lengthOf } from './vectors'

/** The preferred orientation of the tool. */
export type PreferredOrientation = { orientation: Quaternion; pose_frame: FrameName }

/** Sort criteria of results besides a direction and a distance; each module supports some. */
export type SortedBy = 'gravity' | 'surface_area' | 'match_score' | 'preferred_orientation'
type Weighted = { weight: number }
/** At most one weight is above 0. */
export type SortingStrategies = {
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
