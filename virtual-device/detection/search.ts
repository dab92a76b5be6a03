import type { Pose, Vector } from '../../lib/robotics/pose'
import type { Environment } from '../module'
import {
  complete,
  InvalidArgument,
  positiveVector,
  type PartialArguments,
} from '../services/invalid-argument'
import { areaOf, isInBox } from './area'
import type { Detection } from './detections'
import { depthRange } from './images'
import { findLoadCarrier, topOf, type FoundLoadCarrier } from './load-carriers'
import { storedLoadCarrier } from './records'
import { sceneSource, type Item, type Scene } from './scene'
import { seenFrom } from './vectors'
import { viewOf } from './view'

interface SearchArguments {
  region_of_interest_id?: string
  region_of_interest_2d_id?: string
  load_carrier_id?: string
  load_carrier_compartment?: PartialArguments<{ box: Vector; pose: Pose }>
}

/** What a detection finds in the part of the scene that its arguments name. */
export interface SearchResult {
  scene: Scene
  /** The requested load carrier. */
  loadCarrier: FoundLoadCarrier | undefined
  /** Items there with nothing on top, within the range of depths. */
  items: readonly Item[]
  /** Why the detection ends here. */
  nothing: 'no load carrier' | 'load carrier empty' | undefined
}

/** Height above its rim in which the load carrier is searched, metres. */
const aboveRim = 0.1

/**
 * Searches the load carrier, if one is named, and the items in it; adds a remark if there is none.
 * @param what a search for the load carrier alone gets no remark on an empty one
 */
export function search(
  environment: Environment,
  detection: Detection,
  what: 'items' | 'the load carrier alone' = 'items',
): SearchResult {
  const args = detection.args as SearchArguments
  const { frames, remark } = detection
  const scene = environment.ofPipeline(sceneSource)()
  const view = viewOf(environment)
  const area = areaOf(args, environment, frames, view)
  const id = args.load_carrier_id
  const compartment = compartmentOf(args)
  const model = id ? storedLoadCarrier(environment, id, 'load_carrier_id') : undefined
  if (compartment && !model) throw new InvalidArgument('load_carrier_compartment needs a load_carrier_id')
  detection.look()

  const loadCarrier = model && findLoadCarrier(model, { scene, view, area, frames, environment })
  if (model) detection.took('load_carrier_detection_time')
  const nothing = { scene, loadCarrier, items: [] }
  if (model && !loadCarrier) {
    remark(100, `the load carrier '${model.id}' was not found`)
    return { ...nothing, nothing: 'no load carrier' }
  }
  if (what === 'the load carrier alone') return { ...nothing, nothing: undefined }
  const crop = Number(environment.parameter('load_carrier', 'crop_distance'))
  const inside = scene.items.filter((item) => !loadCarrier || isInside(loadCarrier, item, crop))
  if (loadCarrier && inside.length === 0) {
    remark(102, `the load carrier '${loadCarrier.model.id}' is empty`)
    return { ...nothing, nothing: 'load carrier empty' }
  }
  const range = depthRange(environment)
  const items = inside.filter((item) => {
    const top = topOf(item)
    if (!item.top || !area(top) || top.z < range[0] || top.z > range[1]) return false
    if (!compartment || !loadCarrier) return true
    return isInBox(compartment.box, seenFrom(compartment.pose, seenFrom(loadCarrier.pose, top)))
  })
  return { scene, loadCarrier, items, nothing: undefined }
}

/** A compartment's pose is in the frame of the load carrier. One without a size is ignored. */
function compartmentOf({ load_carrier_compartment: given }: SearchArguments) {
  const { x = 0, y = 0, z = 0 } = given?.box ?? {}
  if (!given?.box || (x === 0 && y === 0 && z === 0)) return undefined
  return {
    box: positiveVector(given.box, 'load_carrier_compartment.box'),
    pose: complete(given.pose, 'load_carrier_compartment.pose'),
  }
}

function isInside({ inner, outer, pose }: FoundLoadCarrier, item: Item, crop: number): boolean {
  const { x, y, z } = seenFrom(pose, item.pose.position)
  return (
    Math.abs(x) <= inner.x / 2 - crop &&
    Math.abs(y) <= inner.y / 2 - crop &&
    z >= outer.z / 2 - inner.z &&
    z <= outer.z / 2 + aboveRim
  )
}
