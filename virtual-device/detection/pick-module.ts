import type { Shape } from '../../lib/contract'
import { type Environment, type Json, type Module, returnCodeShape, type ServiceDefinition } from '../module'
import { timestampShape } from '../services/arguments'
import { runState, uuid } from './answering'
import { type Detection, detections } from './detections'
import {
  collisionDetectionShape,
  compartmentShape,
  foundLoadCarrierShape,
  frameShape,
  itemShape,
  suctionGraspShape,
} from './geometry'
import {
  preferences,
  preferredFromCamera,
  sorted,
  suctionCup,
  type SuctionGrasp,
  suctionGrasps,
} from './grasps'
import { shownLoadCarrier, search } from './load-carriers'
import { type Surface, surfaceOf } from './scene'

/** The selection of a caller of a pick module. */
export interface PickSelection {
  /** Selects the suitable surfaces. */
  select: (surfaces: readonly Surface[]) => Surface[]
  /** The item as shown in an answer; if missing, the answer contains no items. */
  item?: ShownItem
}

/** The differences between the modules for suction grippers. */
interface PickKind {
  name: string
  /** License component required by some item models. */
  extension: string
  parameters: Module['parameters']
  modelShape: Shape
  /** How an answer shows the size of an item. */
  sizeShape: Readonly<Record<string, Shape>>
  /** Whether there is a service that detects items without computing grasps. */
  detectsItems: boolean
  /** @throws InvalidArgument or ServiceFailure */
  wanted: (detection: Detection) => PickSelection
}

/** A module that detects items for suction grippers. */
export function pickModule(environment: Environment, kind: PickKind): Module {
  const { random, changed } = environment
  const run = runState(environment)
  const wishes = preferences(['gravity', 'surface_area'], changed)
  const detection = detections(environment, {
    durations: { grasp_computation_time: 0.12, load_carrier_detection_time: 0.35, processing_time: 0.3 },
  })

  const detect = (given: Detection, graspsToo: boolean) => {
    const { args, frames, remark } = given
    run.assertRunning()
    const { select, item } = kind.wanted(given)
    if (graspsToo) suctionCup(args)
    const found = search(environment, given)
    const load_carriers = found.loadCarrier ? [shownLoadCarrier(found.loadCarrier, frames)] : []
    if (found.nothing) return { load_carriers }

    const { scene } = found
    const surfaces = select(found.items.map((each) => surfaceOf(each, random, scene.settings.noise)))
    const preferred = preferredFromCamera(wishes.preferred(), frames)
    const order = { strategies: wishes.strategies(), byDefault: 'gravity' as const, preferred, frames, scene }
    const grasps = graspsToo ? suctionGrasps(environment, given, found, surfaces, wishes) : undefined
    if (!graspsToo && surfaces.length === 0) remark(101, 'no item was found')
    return {
      load_carriers,
      ...pickAnswer(given, random, { surfaces: sorted(surfaces, order), grasps, item }),
    }
  }

  const searched = {
    ...frameShape,
    item_models: [kind.modelShape],
    load_carrier_compartment: compartmentShape,
    load_carrier_id: 'string',
    region_of_interest_id: 'string',
  } as const
  const answered = {
    load_carriers: [foundLoadCarrierShape],
    timestamp: timestampShape,
    ...returnCodeShape,
  } as const
  const itemsOnly: Record<string, ServiceDefinition> = {
    detect_items: detection.service({
      description: 'Detects items.',
      args: searched,
      required: ['pose_frame', 'item_models'],
      response: { items: [{ ...itemShape, ...kind.sizeShape }], ...answered },
      detect: (given) => detect(given, false),
    }),
  }

  return {
    name: kind.name,
    scope: 'pipeline',
    license: kind.name,
    extensions: [kind.extension],
    parameters: kind.parameters,
    services: {
      ...(kind.detectsItems && itemsOnly),
      compute_grasps: detection.service({
        description: 'Computes grasps for a suction gripper.',
        args: {
          ...searched,
          collision_detection: collisionDetectionShape,
          suction_surface_length: 'float64',
          suction_surface_width: 'float64',
        },
        required: ['pose_frame', 'suction_surface_length', 'suction_surface_width'],
        response: {
          grasps: [suctionGraspShape],
          items: [{ ...itemShape, ...kind.sizeShape, grasp_uuids: ['string'] }],
          ...answered,
        },
        detect: (given) => detect(given, true),
      }),
      ...wishes.services,
      ...run.services,
      ...detection.services,
    },
    state: run.state,
    values: () => ({ ...detection.values(), state: run.state() }),
    reset: wishes.resetStrategies,
    save: () => ({ preferences: wishes.save() }),
    restore: (saved) => wishes.restore((saved as Record<string, Json | undefined>).preferences),
  }
}

/** The item of a surface, as shown in an answer. */
type ShownItem = (surface: Surface) => { type: string; template_id: string; [size: string]: unknown }

interface PickResult {
  /** In the order of the answer. */
  surfaces: readonly Surface[]
  /** Grasps on the surfaces; undefined if none were requested. */
  grasps: readonly SuctionGrasp[] | undefined
  /** Without it, the answer contains no items. */
  item: ShownItem | undefined
}

/** Items and suction grasps as shown in answers, linked by uuids. */
function pickAnswer(
  { frames, look }: Pick<Detection, 'frames' | 'look'>,
  random: () => number,
  { surfaces, grasps, item }: PickResult,
) {
  const placed = { pose_frame: frames.name, timestamp: look().timestamp }
  const items = surfaces.map((surface) => ({ surface, uuid: item ? uuid(random) : '' }))
  const named = grasps?.map((grasp) => ({ grasp, uuid: uuid(random) }))
  return {
    items: items.flatMap(({ surface, uuid: id }) => {
      if (!item) return []
      const of = named?.filter(({ grasp }) => grasp.surface === surface)
      return [
        {
          ...placed,
          ...item(surface),
          uuid: id,
          pose: frames.answer(surface.pose),
          view_name: '',
          view_pose_set: false,
          view_uuid: '',
          ...(of && { grasp_uuids: of.map((grasp) => grasp.uuid) }),
        },
      ]
    }),
    ...(named && {
      grasps: named.map(({ grasp, uuid: id }) => ({
        ...placed,
        ...shownGrasp(grasp),
        uuid: id,
        item_uuid: items.find(({ surface }) => surface === grasp.surface)?.uuid ?? '',
        pose: frames.answer(grasp.pose),
      })),
    }),
  }
}

const shownGrasp = ({ surface: { length, width }, quality }: SuctionGrasp) => ({
  type: 'SUCTION',
  quality,
  max_suction_surface_length: length,
  max_suction_surface_width: width,
})
