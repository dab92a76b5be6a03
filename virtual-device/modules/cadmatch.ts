import { distance } from '../../lib/robotics/pose'
import { detections, type Detection } from '../detection/detections'
import { answering } from '../detection/answering'
import { depthNodeOf } from '../detection/images'
import { shownLoadCarrier } from '../detection/load-carriers'
import { matchAnswer } from '../detection/match-answer'
import { measured } from '../detection/measured'
import { objectGrasps } from '../detection/object-grasps'
import { posePriorServices, type PosePrior } from '../detection/pose-priors'
import { preferences } from '../detection/preferences'
import { runState } from '../detection/run-state'
import { search } from '../detection/search'
import { ServiceFailure } from '../detection/service-failure'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  objectGraspShape,
  placedShape,
} from '../detection/shapes'
import { preferredFromCamera, sorted } from '../detection/sorting'
import { graspServices, type TemplateGrasp } from '../detection/template-grasps'
import { templateRecords } from '../detection/template-records'
import { returnCodeShape, type DeviceEnvironment, type Environment, type Json, type Module } from '../module'
import { cadMatchParameters } from './cadmatch.parameters'
import { InvalidArgument } from './invalid-argument'
import { timestampShape } from './timestamp'

/** The grasps and the pose priors of all templates, for all pipelines. */
const cadRecords = ({ templates, changed }: DeviceEnvironment) => {
  const shared = { templates: () => templates('cadmatch'), changed }
  return {
    grasps: templateRecords<TemplateGrasp>({ kind: 'grasp', capacity: 100, ...shared }),
    priors: templateRecords<PosePrior>({ kind: 'pose prior', capacity: 50, ...shared }),
  }
}

/** Our choice: a pose prior leads to an object that is not farther away, metres. */
const priorReach = 0.1

/** Finds objects by their shape. */
export function cadMatch(environment: Environment): Module {
  const { random, changed, now, ofDevice, parameter } = environment
  const { grasps, priors } = ofDevice(cadRecords)
  const run = runState(environment)
  const wishes = preferences(['gravity', 'match_score', 'preferred_orientation'], changed)
  const detection = detections(environment, {
    durations: { load_carrier_detection_time: 0.35, object_detection_time: 0.5, processing_time: 0.2 },
  })
  let requested = 0

  const detect = (given: Detection) => {
    const { args, parameters: own, frames, remark, took } = given
    requested = now()
    run.assertRunning()
    const template = grasps.assertTemplate(args.template_id as string | undefined, 'template_id')
    const starts = priorsOf((args.pose_prior_ids ?? []) as string[], priors.get([], [template]))
    const depth = depthNodeOf(environment)
    if (depth === 'stereomatching' && parameter(depth, 'quality') === 'Low')
      throw new ServiceFailure(-8, 'the quality of the depth images is Low: Medium is needed at least')
    const found = search(environment, given)
    const { loadCarrier, scene } = found
    const load_carriers = loadCarrier ? [shownLoadCarrier(loadCarrier, frames)] : []
    if (found.nothing) return { load_carriers }

    const near = starts.map(({ pose, pose_frame }) => frames.inCamera(pose, pose_frame).position)
    took('object_detection_time')
    const matching = found.items
      .filter(({ curved, score }) => curved && score >= Number(own.min_score))
      .map(({ pose, score }) => ({ pose: measured(pose, random, scene.settings.noise), score }))
      .filter(
        ({ pose }) => near.length === 0 || near.some((each) => distance(each, pose.position) <= priorReach),
      )
    const preferred = preferredFromCamera(wishes.preferred(), frames)
    const order = {
      strategies: wishes.strategies(),
      byDefault: 'match_score' as const,
      preferred,
      frames,
      scene,
    }
    const matches = sorted(matching, order).slice(0, Number(own.max_matches))
    if (matches.length === 0)
      if (found.items.some(({ curved }) => curved) || !scene.items.some(({ curved }) => curved))
        remark(101, `no object '${template}' was found`)
      else remark(152, 'there are objects outside of the region, the load carrier or the image')
    const possible = objectGrasps(environment, given, found, matches, grasps.get([], [template]), preferred)
    if (possible.trimmed) remark(106, 'only the best 100 grasps are returned')
    const shown = matchAnswer(given, random, matches, possible.grasps, 'match_uuid')
    return {
      load_carriers,
      grasps: shown.grasps,
      matches: shown.matches.map((each) => ({
        ...each.shown,
        score: each.match.score,
        template_id: template,
      })),
    }
  }

  return {
    name: 'cadmatch',
    scope: 'pipeline',
    license: 'cadmatch',
    parameters: cadMatchParameters,
    services: {
      detect_object: detection.service({
        description: 'Detects the objects of one template.',
        args: {
          ...frameShape,
          template_id: 'string',
          pose_prior_ids: ['string'],
          data_acquisition_mode: 'string',
          region_of_interest_id: 'string',
          load_carrier_id: 'string',
          load_carrier_compartment: compartmentShape,
          collision_detection: collisionDetectionShape,
        },
        required: ['pose_frame', 'template_id'],
        response: {
          grasps: [{ ...objectGraspShape, match_uuid: 'string' }],
          matches: [
            {
              ...placedShape,
              uuid: 'string',
              template_id: 'string',
              score: 'float32',
              grasp_uuids: ['string'],
            },
          ],
          load_carriers: [foundLoadCarrierShape],
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        detect,
      }),
      warmup_template: answering({
        description: 'Loads a template before it is used for the first time.',
        args: { template_id: 'string' },
        required: ['template_id'],
        response: returnCodeShape,
        answer: ({ args }) => {
          grasps.assertTemplate(args.template_id as string, 'template_id')
          return undefined
        },
      }),
      ...wishes.services,
      ...run.services,
      ...graspServices(grasps),
      ...posePriorServices(priors),
      ...detection.services,
    },
    state: run.state,
    values: () => ({ ...detection.values(), last_request_timestamp: requested, state: run.state() }),
    reset: () => {
      wishes.resetOrientation()
      wishes.resetStrategies()
    },
    templateDeleted: (id) => {
      grasps.forget(id)
      priors.forget(id)
    },
    save: () => ({ preferences: wishes.save(), grasps: grasps.save(), pose_priors: priors.save() }),
    restore: (saved) => {
      const kept = saved as Record<string, Json | undefined>
      wishes.restore(kept.preferences)
      grasps.restore(kept.grasps)
      priors.restore(kept.pose_priors)
    },
  }
}

/** @throws InvalidArgument for an id that the template has no prior of */
const priorsOf = (ids: readonly string[], known: readonly PosePrior[]): PosePrior[] =>
  ids.map((id, index) => {
    const prior = known.find((each) => each.id === id)
    if (prior) return prior
    throw new InvalidArgument(`pose_prior_ids[${index}]: the template has no pose prior '${id}'`)
  })
