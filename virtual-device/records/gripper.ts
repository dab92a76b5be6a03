import { composed, distance, identity, type Pose, type Vector } from '../../lib/robotics/pose'
import { type Environment, type Module, partsOf, returnCodeShape } from '../module'
import {
  complete,
  InvalidArgument,
  named,
  oneOf,
  type PartialArguments,
  poseShape,
  positive,
  positiveVector,
  unlessZero,
  vectorShape,
} from '../arguments'
import { recordServices, recordStore } from './records'

type Element = {
  id: string
  parent_id: string
  type: 'BOX' | 'CYLINDER' | 'CAD'
  /** Edge lengths, metres. */
  box: Vector
  /** Metres. */
  cylinder: { radius: number; height: number }
  cad: { id: string }
  /** Pose in the parent's frame; for a finger, when it is open. */
  pose: Pose
  function_type: (typeof functions)[number]
  /** For a finger, its pose when closed, in the parent's frame; otherwise the same as the pose. */
  finger_zero_pose: Pose
  /** Travel of a finger from closed to open, metres; 0 for other elements. */
  stroke: number
}

export type Gripper = {
  id: string
  elements: Element[]
  /** Metres. */
  flange_radius: number
  tcp_parent_id: string
  tcp_pose_parent: Pose
  /** Computed along the chain of parents. */
  tcp_pose_flange: Pose
  /** The sources name no values. */
  type: string
}

type GivenElement = PartialArguments<Omit<Element, 'stroke'>>

type GivenGripper = PartialArguments<Omit<Gripper, 'elements' | 'tcp_pose_flange' | 'type'>> & {
  elements?: GivenElement[]
}

const mostElements = 15

const functions = ['NONE', 'FINGER', 'SUCTION_CUP'] as const

/** Validates and completes the record of a gripper. @throws InvalidArgument naming the field */
function gripper(given: GivenGripper): Gripper {
  const id = named(given.id, 'id')
  const elements = treeOf(given.elements ?? [])
  const tcp_parent_id = given.tcp_parent_id ? given.tcp_parent_id : 'flange'
  if (tcp_parent_id !== 'flange' && !elements.some((element) => element.id === tcp_parent_id))
    throw new InvalidArgument(`tcp_parent_id '${tcp_parent_id}' is neither flange nor the id of an element`)
  const tcp_pose_parent = complete(given.tcp_pose_parent, 'tcp_pose_parent')
  return {
    id,
    elements,
    flange_radius: positive(given.flange_radius, 'flange_radius'),
    tcp_parent_id,
    tcp_pose_parent,
    tcp_pose_flange: composed(poseInFlange(tcp_parent_id, elements), tcp_pose_parent),
    type: '',
  }
}

/** Of a refused `set_gripper`, with every field. */
const noGripper = (): Gripper => ({
  id: '',
  elements: [],
  flange_radius: 0,
  tcp_parent_id: '',
  tcp_pose_parent: identity(),
  tcp_pose_flange: identity(),
  type: '',
})

function treeOf(given: readonly GivenElement[]): Element[] {
  if (given.length > mostElements)
    throw new InvalidArgument(`elements: at most ${mostElements} are possible, not ${given.length}`)
  const elements = given.map((each, index) => element(each, `elements[${index}]`))
  const ids = elements.map(({ id }) => id)
  for (const [index, { id, parent_id }] of elements.entries()) {
    const field = `elements[${index}]`
    if (id === 'tcp' || id === 'flange') throw new InvalidArgument(`${field}.id must not be ${id}`)
    if (ids.indexOf(id) < index) throw new InvalidArgument(`${field}.id '${id}' is used twice`)
    if (parent_id !== 'flange' && !ids.includes(parent_id))
      throw new InvalidArgument(
        `${field}.parent_id '${parent_id}' is neither flange nor the id of an element`,
      )
  }
  if (!elements.some(({ parent_id }) => parent_id === 'flange'))
    throw new InvalidArgument('elements: at least one must have the parent_id flange')
  for (const { id } of elements) chainTo(id, elements)
  return elements
}

function element(given: GivenElement, field: string): Element {
  const id = named(given.id, `${field}.id`)
  const type = oneOf(given.type, ['BOX', 'CYLINDER', 'CAD'], `${field}.type`)
  const size = (name: 'radius' | 'height') =>
    type === 'CYLINDER' ? positive(given.cylinder?.[name], `${field}.cylinder.${name}`) : 0
  const pose = complete(given.pose, `${field}.pose`)
  const purpose = oneOf(given.function_type || 'NONE', functions, `${field}.function_type`)
  const zero = purpose === 'FINGER' ? unlessZero(given.finger_zero_pose) : undefined
  const closed = zero ? complete(zero, `${field}.finger_zero_pose`) : pose
  return {
    id,
    parent_id: named(given.parent_id, `${field}.parent_id`),
    type,
    box: type === 'BOX' ? positiveVector(given.box, `${field}.box`) : { x: 0, y: 0, z: 0 },
    cylinder: { radius: size('radius'), height: size('height') },
    cad: { id: type === 'CAD' ? named(given.cad?.id, `${field}.cad.id`) : '' },
    pose,
    function_type: purpose,
    finger_zero_pose: closed,
    stroke: distance(pose.position, closed.position),
  }
}

/** In the frame of the flange. */
export const poseInFlange = (id: string, elements: readonly Element[]): Pose =>
  chainTo(id, elements).reduce((pose, { pose: step }) => composed(pose, step), identity())

function chainTo(id: string, elements: readonly Element[]): Element[] {
  const chain: Element[] = []
  let next = elements.find((each) => each.id === id)
  while (next) {
    if (chain.includes(next)) throw new InvalidArgument(`elements: '${id}' is not connected to the flange`)
    chain.unshift(next)
    const { parent_id } = next
    next = elements.find((each) => each.id === parent_id)
  }
  return chain
}

const elementShape = {
  id: 'string',
  parent_id: 'string',
  type: 'string',
  box: vectorShape,
  cylinder: { height: 'float64', radius: 'float64' },
  cad: { id: 'string' },
  pose: poseShape,
  function_type: 'string',
  finger_zero_pose: poseShape,
} as const

const givenShape = {
  id: 'string',
  elements: [elementShape],
  flange_radius: 'float64',
  tcp_parent_id: 'string',
  tcp_pose_parent: poseShape,
} as const

const gripperShape = {
  ...givenShape,
  elements: [{ ...elementShape, stroke: 'float64' }],
  tcp_pose_flange: poseShape,
  type: 'string',
} as const

/** The modules that use grippers; any one is sufficient. */
const components = ['collision_check', 'itempick', 'boxpick', 'silhouettematch', 'cadmatch']

/** Gripper geometries for checking grasps. */
export function gripperDb({ changed }: Environment): Module {
  const grippers = recordStore<Gripper>({ kind: 'gripper', capacity: 50, changed })

  return {
    name: 'gripper_db',
    scope: 'global',
    parameters: [],
    services: {
      set_gripper: {
        description: 'Creates or overwrites one gripper.',
        args: givenShape,
        required: ['id', 'elements'],
        response: { gripper: gripperShape, ...returnCodeShape },
        license: components,
        call: ({ args }) => {
          const { stored = noGripper(), answer } = grippers.set(() => gripper(args))
          return { gripper: stored, ...answer }
        },
      },
      ...recordServices(grippers, {
        kinds: 'grippers',
        get: 'get_grippers',
        delete: 'delete_grippers',
        ids: 'gripper_ids',
        list: 'grippers',
        shape: gripperShape,
      }),
    },
    ...partsOf({ grippers }),
  }
}
