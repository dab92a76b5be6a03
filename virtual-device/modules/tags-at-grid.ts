import { seesGrid, sightOf } from '../cell/sight'
import type { Tag } from '../detection/scene'
import type { Environment } from '../module'

/** The tags beside the calibration grid while the camera sees that; undefined while it does not. */
export function tagsAtGrid({ module, scenario }: Environment): Tag[] | undefined {
  const sight = sightOf(module('hand_eye_calibration'))
  if (!sight || !seesGrid(scenario(), sight)) return undefined
  const { tags, hindrance } = sight.grid()
  if (hindrance?.kind === 'covered') return []
  return tags.map((tag) => ({ ...tag, inverted: false }))
}
