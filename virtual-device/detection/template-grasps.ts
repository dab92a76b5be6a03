import { composed, identity, inverted, type Pose } from '../../lib/robotics/pose'
import { ofRotationVector, radians } from '../../lib/robotics/quaternion'
import { complete, InvalidArgument, named, within, type PartialArguments } from '../services/invalid-argument'
import { poseShape } from '../services/pose-shape'
import { returnCodeShape, type ServiceDefinition } from '../module'
import { answering } from './answering'
import type { TemplateRecords } from './template-records'

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
export function replicated({ pose, replication }: TemplateGrasp): Pose[] {
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
