import type { Pose, Vector } from '../../../lib/robotics/pose'
import { sceneBench, type Placed } from '../detection/scene-bench'

interface Grasp extends Placed {
  item_uuid: string
  type: string
  quality: number
  max_suction_surface_length: number
  max_suction_surface_width: number
}
interface Item extends Placed {
  type: string
  grasp_uuids?: string[]
  rectangle: { x: number; y: number }
  bounding_box: Vector
}
type Bench = ReturnType<typeof sceneBench>
type Name = 'itempick' | 'boxpick'

export const anyBox = { type: 'RECTANGLE', rectangle: { max_dimensions: { x: 1, y: 1 } } }
export const call = (bench: Bench, name: Name, args: object = {}, service = 'compute_grasps') => {
  const { return_code, grasps, items, load_carriers } = bench.call(name, service, {
    pose_frame: 'camera',
    suction_surface_length: 0.02,
    suction_surface_width: 0.02,
    ...(name === 'boxpick' && { item_models: [anyBox] }),
    ...args,
  })
  const { value: code, message } = return_code
  return {
    code,
    message,
    grasps: grasps as Grasp[],
    items: items as Item[],
    load_carriers: load_carriers as { pose: Pose }[],
  }
}
export const running = (name: Name, options: Parameters<typeof sceneBench>[0] = {}) => {
  const bench = sceneBench(options)
  bench.call(name, 'start').should.deepEqual({ accepted: true, current_state: 'RUNNING' })
  return bench
}
export const inBin = { load_carrier_id: 'bin' }
