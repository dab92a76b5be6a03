import { poseShape, vectorShape } from '../services/pose-shape'
import { timestampShape } from '../services/timestamp'

export const planarShape = { x: 'float64', y: 'float64' } as const
export const cellCountShape = { x: 'uint32', y: 'uint32' } as const

/** Arguments that select the frame of the poses. */
export const frameShape = { pose_frame: 'string', robot_pose: poseShape } as const

/** An object in an answer: its pose, the frame of the pose, and the time of the image. */
export const placedShape = { pose: poseShape, pose_frame: 'string', timestamp: timestampShape } as const

export const foundLoadCarrierShape = {
  id: 'string',
  type: 'string',
  inner_dimensions: vectorShape,
  outer_dimensions: vectorShape,
  rim_thickness: planarShape,
  rim_step_height: 'float64',
  rim_ledge: planarShape,
  height_open_side: 'float64',
  overfilled: 'bool',
  pose: poseShape,
  pose_frame: 'string',
} as const

export const compartmentShape = { box: vectorShape, pose: poseShape } as const
export const collisionDetectionShape = { gripper_id: 'string', pre_grasp_offset: vectorShape } as const

/** An item for a suction gripper; the field of its size differs between the modules. */
export const itemShape = {
  ...placedShape,
  uuid: 'string',
  type: 'string',
  template_id: 'string',
  view_name: 'string',
  view_pose_set: 'bool',
  view_uuid: 'string',
} as const

export const suctionGraspShape = {
  ...placedShape,
  uuid: 'string',
  item_uuid: 'string',
  type: 'string',
  quality: 'float64',
  max_suction_surface_length: 'float64',
  max_suction_surface_width: 'float64',
} as const

/** A grasp on a matched object. */
export const objectGraspShape = {
  ...placedShape,
  uuid: 'string',
  id: 'string',
  gripper_id: 'string',
  priority: 'int8',
  collision_checked: 'bool',
} as const
