import type { Pose } from '../../lib/robotics/pose'
import { returnCodeShape, type ServiceDefinition } from '../module'
import { complete, named, oneOf, type PartialArguments } from '../services/invalid-argument'
import { poseShape } from '../services/pose-shape'
import { answering } from './answering'
import { frameNames, type FrameName } from './frames'
import { atLeastOne } from './template-grasps'
import type { TemplateRecords } from './template-records'

/** The expected pose of an object of a template. */
export type PosePrior = { id: string; template_id: string; pose: Pose; pose_frame: FrameName }

const priorShape = { id: 'string', template_id: 'string', pose: poseShape, pose_frame: 'string' } as const

/** The services that store the pose priors of templates. */
export function posePriorServices(priors: TemplateRecords<PosePrior>): Record<string, ServiceDefinition> {
  return {
    set_pose_prior: answering({
      description: 'Stores one pose prior of a template.',
      args: { pose_prior: priorShape },
      required: ['pose_prior'],
      response: returnCodeShape,
      answer: ({ args }) =>
        priors.set(() => posePrior(args.pose_prior as PartialArguments<PosePrior>, 'pose_prior')),
    }),
    set_all_pose_priors: answering({
      description: 'Replaces all pose priors of a template.',
      args: { pose_priors: [priorShape], template_id: 'string' },
      required: ['pose_priors', 'template_id'],
      response: returnCodeShape,
      answer: ({ args }) => {
        const template = priors.assertTemplate(args.template_id as string, 'template_id')
        const given = args.pose_priors as PartialArguments<PosePrior>[]
        priors.setAll(
          template,
          given.map((prior, index) =>
            posePrior({ ...prior, template_id: template }, `pose_priors[${index}]`),
          ),
        )
        return undefined
      },
    }),
    get_pose_priors: answering({
      description: 'Returns pose priors by their ids and templates; all where none are named.',
      args: { pose_prior_ids: ['string'], template_ids: ['string'] },
      response: { pose_priors: [priorShape], ...returnCodeShape },
      answer: ({ args }) => ({
        pose_priors: priors.get(
          args.pose_prior_ids as string[] | undefined,
          args.template_ids as string[] | undefined,
        ),
      }),
    }),
    delete_pose_priors: answering({
      description: 'Deletes pose priors of the templates that are named; all of them where none is named.',
      args: { pose_prior_ids: ['string'], template_ids: ['string'] },
      response: returnCodeShape,
      answer: ({ args }) => {
        priors.delete(args.pose_prior_ids as string[] | undefined, atLeastOne(args.template_ids))
        return undefined
      },
    }),
  }
}

const posePrior = (given: PartialArguments<PosePrior>, field: string): PosePrior => ({
  id: named(given.id, `${field}.id`),
  template_id: named(given.template_id, `${field}.template_id`),
  pose: complete(given.pose, `${field}.pose`),
  pose_frame: oneOf(given.pose_frame, frameNames, `${field}.pose_frame`),
})
