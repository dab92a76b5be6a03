import type { Detection } from './detections'
import type { SuctionGrasp } from './suction-grasps'
import type { Surface } from './surfaces'
import { uuid } from './uuid'

/** The item of a surface, as shown in an answer. */
export type ShownItem = (surface: Surface) => { type: string; template_id: string; [size: string]: unknown }

interface PickResult {
  /** In the order of the answer. */
  surfaces: readonly Surface[]
  /** Grasps on the surfaces; undefined if none were requested. */
  grasps: readonly SuctionGrasp[] | undefined
  /** Without it, the answer contains no items. */
  item: ShownItem | undefined
}

/** Items and suction grasps as shown in answers, linked by uuids. */
export function pickAnswer(
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
