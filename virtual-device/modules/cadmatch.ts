import { answering, runState, type Detection, detections } from '../detection/answering'
import { cadObjects, type PosePrior, posePriorServices, templateRecords } from '../detection/cad-objects'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  objectGraspShape,
  placedShape,
} from '../detection/geometry'
import { graspServices, preferences, type TemplateGrasp } from '../detection/grasps'
import {
  type DeviceEnvironment,
  type Environment,
  type Json,
  type Module,
  returnCodeShape,
  choice,
  float64,
  int32,
  type ParameterDefinition,
} from '../module'
import { timestampShape } from '../arguments'
import { matchParameters } from './silhouettematch'

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

const cadMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  float64('edge_max_distance', 2, [0.5, 5], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('edge_sensitivity', 0.5, [0.05, 1], 'Sensitivity of the edge detector'),
  float64(
    'grasp_filter_orientation_threshold',
    45,
    [0, 180],
    'Largest angle to the preferred orientation; 0 allows all',
    { unit: 'deg' },
  ),
  int32('max_matches', 10, [1, 30], 'Most matches returned'),
  float64('min_score', 0.3, [0.05, 1], 'Lowest score of a match'),
  choice(
    'prior_selection_mode',
    'MatchSorting',
    ['MatchSorting', 'PriorAccessibility'],
    'How the poses to begin with are chosen',
  ),
]
