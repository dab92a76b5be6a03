import { matchAnswer, templateRecords } from '../detection/cad-objects'
import { type Detection, detections } from '../detection/detections'
import {
  collisionDetectionShape,
  foundLoadCarrierShape,
  frameShape,
  measured,
  objectGraspShape,
  placedShape,
} from '../detection/geometry'
import {
  graspServices,
  objectGrasps,
  preferences,
  preferredFromCamera,
  sorted,
  type TemplateGrasp,
} from '../detection/grasps'
import { search, shownLoadCarrier } from '../detection/load-carriers'
import { basePlane } from '../detection/planes'
import { type DeviceEnvironment, type Environment, type Json, type Module, returnCodeShape } from '../module'
import { bool, choice, float64, int32, type ParameterDefinition } from '../parameter'
import { timestampShape } from '../services/arguments'

/** The grasps of all templates, for all pipelines. */
const silhouetteGrasps = ({ templates, changed }: DeviceEnvironment) =>
  templateRecords<TemplateGrasp>({
    kind: 'grasp',
    capacity: 50,
    templates: () => templates('silhouettematch'),
    changed,
  })

/** Our choice: the smallest matched share of a silhouette; 1 where the object is seen best. */
const leastMatched = 0.85

/** Detects objects on a plane by their outlines. */
export function silhouetteMatch(environment: Environment): Module {
  const { random, changed, ofDevice } = environment
  const grasps = ofDevice(silhouetteGrasps)
  const wishes = preferences(['preferred_orientation'], changed)
  const detection = detections(environment, {
    durations: { load_carrier_detection_time: 0.35, processing_time: 0.4 },
  })
  const plane = basePlane(environment, detection)

  const detect = (given: Detection) => {
    const { args, parameters, frames, remark } = given
    const { object_id, region_of_interest_2d_id } = (args.object_to_detect ?? {}) as {
      object_id?: string
      region_of_interest_2d_id?: string
    }
    const object = grasps.assertTemplate(object_id, 'object_to_detect.object_id')
    if (args.object_plane_detection !== true) plane.assertUsable(given)
    const found = search(environment, {
      ...given,
      args: { ...args, ...(region_of_interest_2d_id && { region_of_interest_2d_id }) },
    })
    const { loadCarrier, scene } = found
    const answer = {
      object_id: object,
      load_carriers: loadCarrier ? [shownLoadCarrier(loadCarrier, frames)] : [],
    }
    if (found.nothing) return answer

    const preferred = preferredFromCamera(wishes.preferred(), frames)
    const order = {
      strategies: wishes.strategies(),
      byDefault: 'preferred_orientation' as const,
      preferred,
      frames,
      scene,
    }
    const share = (score: number) => leastMatched + (1 - leastMatched) * score
    const matching = found.items
      .filter(({ curved, score }) => curved && share(score) >= Number(parameters.match_percentile))
      .map(({ pose }) => ({ pose: measured(pose, random, scene.settings.noise) }))
    const instances = sorted(matching, order).slice(0, Number(parameters.max_number_of_detected_objects))
    if (instances.length === 0) remark(101, `no object '${object}' was found`)
    const possible = objectGrasps(environment, given, found, instances, grasps.get([], [object]), preferred)
    const shown = matchAnswer(given, random, instances, possible.grasps, 'instance_uuid')
    return {
      ...answer,
      grasps: shown.grasps,
      instances: shown.matches.map((match) => ({ ...match.shown, id: match.shown.uuid, object_id: object })),
    }
  }

  return {
    name: 'silhouettematch',
    scope: 'pipeline',
    license: 'silhouettematch',
    parameters: silhouetteMatchParameters,
    services: {
      detect_object: detection.service({
        description: 'Detects the objects of one template.',
        args: {
          ...frameShape,
          object_to_detect: { object_id: 'string', region_of_interest_2d_id: 'string' },
          object_plane_detection: 'bool',
          offset: 'float64',
          load_carrier_id: 'string',
          collision_detection: collisionDetectionShape,
        },
        required: ['pose_frame', 'object_to_detect.object_id'],
        response: {
          grasps: [{ ...objectGraspShape, instance_uuid: 'string' }],
          instances: [
            { ...placedShape, uuid: 'string', id: 'string', object_id: 'string', grasp_uuids: ['string'] },
          ],
          load_carriers: [foundLoadCarrierShape],
          object_id: 'string',
          timestamp: timestampShape,
          ...returnCodeShape,
        },
        detect,
      }),
      ...plane.services,
      ...wishes.services,
      ...graspServices(grasps),
      ...detection.services,
    },
    values: detection.values,
    reset: () => {
      wishes.resetOrientation()
      wishes.resetStrategies()
    },
    templateDeleted: grasps.forget,
    save: () => ({ preferences: wishes.save(), base_plane: plane.save(), grasps: grasps.save() }),
    restore: (saved) => {
      const kept = saved as Record<string, Json | undefined>
      wishes.restore(kept.preferences)
      plane.restore(kept.base_plane)
      grasps.restore(kept.grasps)
    },
  }
}

/** Parameters of both modules that match objects. */
export const matchParameters: readonly ParameterDefinition[] = [
  bool('check_collisions', false, 'Check grasps that have a gripper for collisions'),
  bool(
    'check_collisions_during_retraction',
    false,
    'Check the held object against the load carrier while it leaves',
  ),
  bool('check_collisions_with_matches', true, 'Check the gripper against the other objects that were found'),
  bool('check_collisions_with_point_cloud', false, 'Check the gripper against the point cloud'),
  bool('only_highest_priority_grasps', false, 'Return the grasps of the highest priority only'),
]

const silhouetteMatchParameters: readonly ParameterDefinition[] = [
  ...matchParameters,
  bool('check_collisions_with_base_plane', true, 'Check the gripper against the base plane'),
  float64('edge_sensitivity', 0.7, [0.1, 1], 'Sensitivity of the edge detector'),
  float64('match_max_distance', 3, [0.1, 10], 'Largest distance of an edge to that of the template', {
    unit: 'px',
  }),
  float64('match_percentile', 0.8, [0.7, 1], 'Share of the template that has to match'),
  int32('max_number_of_detected_objects', 10, [1, 20], 'Most objects returned'),
  choice(
    'point_cloud_enhancement',
    'Off',
    ['Off', 'ReplaceBright'],
    'Repair of the point cloud by the base plane',
  ),
  choice('quality', 'High', ['Low', 'Medium', 'High'], 'Resolution of the image for matching'),
]
