import { returnCodeShape, type Environment, type Json, type Module } from '../module'
import { gripper, noGripper, type Gripper } from './gripper'
import { poseShape, vectorShape } from '../services/arguments'
import { recordServices, recordStore } from './record-store'

const elementShape = {
  id: 'string',
  parent_id: 'string',
  type: 'string',
  box: vectorShape,
  cylinder: { height: 'float64', radius: 'float64' },
  cad: { id: 'string' },
  pose: poseShape,
  function_type: 'string',
  finger_zero_pose: poseShape,
} as const
const givenShape = {
  id: 'string',
  elements: [elementShape],
  flange_radius: 'float64',
  tcp_parent_id: 'string',
  tcp_pose_parent: poseShape,
} as const
const gripperShape = {
  ...givenShape,
  elements: [{ ...elementShape, stroke: 'float64' }],
  tcp_pose_flange: poseShape,
  type: 'string',
} as const

/** The modules that use grippers; any one is sufficient. */
const components = ['collision_check', 'itempick', 'boxpick', 'silhouettematch', 'cadmatch']

/** Gripper geometries for checking grasps. */
export function gripperDb({ changed }: Environment): Module {
  const grippers = recordStore<Gripper>({ kind: 'gripper', capacity: 50, changed })

  return {
    name: 'gripper_db',
    scope: 'global',
    parameters: [],
    services: {
      set_gripper: {
        description: 'Creates or overwrites one gripper.',
        args: givenShape,
        required: ['id', 'elements'],
        response: { gripper: gripperShape, ...returnCodeShape },
        license: components,
        call: ({ args }) => {
          const { stored = noGripper(), answer } = grippers.set(() => gripper(args))
          return { gripper: stored, ...answer }
        },
      },
      ...recordServices(grippers, {
        kinds: 'grippers',
        get: 'get_grippers',
        delete: 'delete_grippers',
        ids: 'gripper_ids',
        list: 'grippers',
        shape: gripperShape,
      }),
    },
    save: () => ({ grippers: grippers.save() }),
    restore: (saved) => grippers.restore((saved as Record<string, Json | undefined>).grippers),
  }
}
