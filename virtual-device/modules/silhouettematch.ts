import { basePlane } from '../detection/base-plane'
import { detections, type Detection } from '../detection/detections'
import { shownLoadCarrier } from '../detection/load-carriers'
import { matchAnswer } from '../detection/match-answer'
import { measured } from '../detection/measured'
import { objectGrasps } from '../detection/object-grasps'
import { preferences } from '../detection/preferences'
import { search } from '../detection/search'
import {
  collisionDetectionShape,
  foundLoadCarrierShape,
  frameShape,
  objectGraspShape,
  placedShape,
} from '../detection/shapes'
import { preferredFromCamera, sorted } from '../detection/sorting'
import { graspServices, type TemplateGrasp } from '../detection/template-grasps'
import { templateRecords } from '../detection/template-records'
import { returnCodeShape, type DeviceEnvironment, type Environment, type Json, type Module } from '../module'
import { silhouetteMatchParameters } from './silhouettematch.parameters'
import { timestampShape } from '../services/timestamp'

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
