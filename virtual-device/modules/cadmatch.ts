import { detections, type Detection } from '../detection/detections'
import { answering } from '../detection/answering'
import { cadObjects } from '../detection/cad-objects'
import { posePriorServices, type PosePrior } from '../detection/pose-priors'
import { preferences } from '../detection/preferences'
import { runState } from '../detection/run-state'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  objectGraspShape,
  placedShape,
} from '../detection/shapes'
import { graspServices, type TemplateGrasp } from '../detection/template-grasps'
import { templateRecords } from '../detection/template-records'
import { returnCodeShape, type DeviceEnvironment, type Environment, type Json, type Module } from '../module'
import { cadMatchParameters } from './cadmatch.parameters'
import { timestampShape } from '../services/timestamp'

/** The grasps and pose priors of all templates, for all pipelines. */
const cadRecords = ({ templates, changed }: DeviceEnvironment) => {
  const shared = { templates: () => templates('cadmatch'), changed }
  return {
    grasps: templateRecords<TemplateGrasp>({ kind: 'grasp', capacity: 100, ...shared }),
    priors: templateRecords<PosePrior>({ kind: 'pose prior', capacity: 50, ...shared }),
  }
}

/** Detects objects by their shape. */
export function cadMatch(environment: Environment): Module {
  const { changed, now, ofDevice } = environment
  const { grasps, priors } = ofDevice(cadRecords)
  const run = runState(environment)
  const wishes = preferences(['gravity', 'match_score', 'preferred_orientation'], changed)
  const detection = detections(environment, {
    durations: { load_carrier_detection_time: 0.35, object_detection_time: 0.5, processing_time: 0.2 },
  })
  const objects = cadObjects(environment, { grasps, priors, wishes })
  let requested = 0

  const detect = (given: Detection) => {
    requested = now()
    run.assertRunning()
    return objects(given)
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
