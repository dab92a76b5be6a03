import {
  answering,
  depthNodeOf,
  runState,
  ServiceFailure,
  type Detection,
  detections,
} from '../detection/answering'
import { distance, type Pose } from '../../lib/robotics/pose'
import {
  graspServices,
  type TemplateGrasp,
  type TemplateRecords,
  templateRecords,
  templateServices,
} from '../detection/templates'
import { search } from '../detection/load-carriers'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  type FrameName,
  frameNames,
  measured,
  objectGraspShape,
  placedShape,
} from '../detection/geometry'
import { objectGrasps, preferences } from '../detection/grasps'
import {
  type DeviceEnvironment,
  type Environment,
  type Module,
  partsOf,
  returnCodeShape,
  choice,
  float64,
  int32,
  type ParameterDefinition,
} from '../module'
import {
  complete,
  InvalidArgument,
  named,
  oneOf,
  type PartialArguments,
  poseShape,
  timestampShape,
} from '../arguments'
import { orientationThreshold } from './pick'
import { matchParameters } from './silhouettematch'

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
  const wishes = preferences(['match_score', 'gravity', 'preferred_orientation'], changed)
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
      ...templateServices(priors, { one: 'pose_prior', shape: priorShape, read: posePrior }),
      ...detection.services,
    },
    state: run.state,
    values: () => ({ ...detection.values(), last_request_timestamp: requested, state: run.state() }),
    reset: wishes.reset,
    templateDeleted: (id) => {
      grasps.forget(id)
      priors.forget(id)
    },
    ...partsOf({ preferences: wishes, grasps, pose_priors: priors }),
  }
}

const cadMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  float64('edge_max_distance', 2, [0.5, 5], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('edge_sensitivity', 0.5, [0.05, 1], 'Sensitivity of the edge detector'),
  orientationThreshold,
  int32('max_matches', 10, [1, 30], 'Most matches returned'),
  float64('min_score', 0.3, [0.05, 1], 'Lowest score of a match'),
  choice(
    'prior_selection_mode',
    'MatchSorting',
    ['MatchSorting', 'PriorAccessibility'],
    'How the poses to begin with are chosen',
  ),
]

/** Our choice: a pose prior matches an object within this distance, metres. */
const priorReach = 0.1

interface CadDatabase {
  grasps: TemplateRecords<TemplateGrasp>
  priors: TemplateRecords<PosePrior>
  wishes: ReturnType<typeof preferences>
}

/** Detects the objects of a template by their shape, with their grasps. */
function cadObjects(environment: Environment, { grasps, priors, wishes }: CadDatabase) {
  const { random, parameter } = environment

  return (given: Detection) => {
    const { args, parameters: own, frames, remark, took } = given
    const template = grasps.assertTemplate(args.template_id as string | undefined, 'template_id')
    const starts = priorsOf((args.pose_prior_ids ?? []) as string[], priors.get([], [template]))
    const depth = depthNodeOf(environment)
    if (depth === 'stereomatching' && parameter(depth, 'quality') === 'Low')
      throw new ServiceFailure(-8, 'the quality of the depth images is Low: at least Medium is required')
    const found = search(environment, given)
    const { load_carriers, scene } = found
    if (found.nothing) return { load_carriers }

    const near = starts.map(({ pose, pose_frame }) => frames.inCamera(pose, pose_frame).position)
    took('object_detection_time')
    const matching = found.items
      .filter(({ curved, score }) => curved && score >= Number(own.min_score))
      .map(({ pose, score }) => ({ pose: measured(pose, random, scene.settings.noise), score }))
      .filter(
        ({ pose }) => near.length === 0 || near.some((each) => distance(each, pose.position) <= priorReach),
      )
    const { preferred, sorted } = wishes.order(frames, scene)
    const matches = sorted(matching).slice(0, Number(own.max_matches))
    if (matches.length === 0)
      if (found.items.some(({ curved }) => curved) || !scene.items.some(({ curved }) => curved))
        remark(101, `no object '${template}' was found`)
      else remark(152, 'there are objects outside of the region, the load carrier or the image')
    const known = grasps.get([], [template])
    const shown = objectGrasps(environment, given, found, matches, known, preferred, 'match_uuid')
    if (shown.trimmed) remark(106, 'only the best 100 grasps are returned')
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
}

/** @throws InvalidArgument for an id that is not a prior of the template */
const priorsOf = (ids: readonly string[], known: readonly PosePrior[]): PosePrior[] =>
  ids.map((id, index) => {
    const prior = known.find((each) => each.id === id)
    if (prior) return prior
    throw new InvalidArgument(`pose_prior_ids[${index}]: the template has no pose prior '${id}'`)
  })

/** The expected pose of an object of a template. */
type PosePrior = { id: string; template_id: string; pose: Pose; pose_frame: FrameName }

const priorShape = { id: 'string', template_id: 'string', pose: poseShape, pose_frame: 'string' } as const

const posePrior = (given: PartialArguments<PosePrior>, field: string): PosePrior => ({
  id: named(given.id, `${field}.id`),
  template_id: named(given.template_id, `${field}.template_id`),
  pose: complete(given.pose, `${field}.pose`),
  pose_frame: oneOf(given.pose_frame, frameNames, `${field}.pose_frame`),
})
