import { join } from 'node:path'
import { descriptions } from '../../scripts/dialogs'
import { root } from './root'

/** Configuration, and a message that makes the node work. */
export interface MessageNode {
  /** Without `vision-`. @default its id */
  node?: string
  fields?: object
  message?: (id: string, index: number) => object
  /** Of the device. @default 'single' */
  variant?: 'multi' | 'spare'
  /** Share of the messages; fewer if one causes many requests. @default 1 */
  part?: number
}

/** Nodes that need more than their defaults. */
const prepared: Record<string, MessageNode> = {
  'get-parameter': { fields: { node: 'dev_camera', parameter: 'fps' } },
  'set-parameter': {
    fields: { node: 'dev_camera', parameter: 'fps', value: 'payload', valueType: 'msg' },
    message: (_id, index) => ({ payload: 1 + (index % 25) }),
  },
  'call-service': {
    fields: {
      pipeline: '',
      node: 'dev_roi_db',
      service: 'delete_regions_of_interest',
      args: 'payload',
      argsType: 'msg',
    },
    message: (id) => ({ payload: { region_of_interest_ids: [id] } }),
  },
  'device-request': { fields: { operation: 'getTime' } },
  'get-status': { fields: { node: 'dev_camera' } },
  backup: { fields: { target: 'message' } },
  pipeline: { variant: 'multi' },
  'stream-destination': { fields: { stream: 'imu', action: 'list' } },
  database: { fields: { action: 'get' } },
  // Waits as long as a depth image takes.
  acquire: { fields: { proof: 'time' }, part: 0.02 },
  // Only the messages matter here, not the stream.
  'image-receive': { fields: { starts: 'message' }, message: () => ({ payload: 'stop' }) },
  // Up to date: one request is enough.
  'firmware-update': {
    fields: { mode: 'update', confirmed: true, version: 'v1.1.0' },
    message: () => ({ payload: Buffer.from('an artifact') }),
  },
  'hand-eye-calibration': {
    fields: { gridWidth: 260, gridHeight: 180, settling: 0, deadline: 0.2 },
    message: (_id, index) => ({
      topic: index % 10 ? 'pose' : 'start',
      payload: [400 + index, 20, 500, 10 * (index % 7), 170 + (index % 5), index % 20],
    }),
  },
  recipes: {
    fields: {
      columns: '{"dev_camera.fps":"Rate"}',
      products: '[{"job":1,"name":"one","region":"","gripper":"","values":{"dev_camera.fps":5}}]',
    },
    message: () => ({ payload: { job: 1 } }),
  },
  'robot-pose': { message: (_id, index) => ({ payload: [400 + index, 20, 500, 10, 20, 30] }) },
}

const withDevice = descriptions(join(root, 'nodes')).filter(
  (node) => 'inputs' in node && node.inputs === 1 && 'device' in node.fields,
)

/** All nodes that work on messages with a device. */
export const messageNodes: Readonly<Record<string, MessageNode>> = {
  ...Object.fromEntries(withDevice.map(({ type }): [string, MessageNode] => [type, {}])),
  ...prepared,
}

/** `wires` lead to `output`. */
export const messageFlow = (
  addresses: Readonly<Record<string, string>>,
  config: object = {},
  nodes: Readonly<Record<string, MessageNode>> = messageNodes,
) => [
  { id: 'tab', type: 'tab', label: 'test' },
  ...Object.entries(addresses).map(([variant, address]) => ({
    id: `on-${variant}`,
    type: 'vision-device-config',
    name: '',
    address,
    ...config,
  })),
  { z: 'tab', x: 0, y: 0, id: 'output', type: 'debug', active: false, wires: [] },
  ...Object.entries(nodes).map(([name, { node = name, fields, variant = 'single' }]) => ({
    z: 'tab',
    x: 0,
    y: 0,
    id: name,
    type: `vision-${node}`,
    device: `on-${variant}`,
    wires: [['output'], ['output'], ['output']],
    ...fields,
  })),
]

/** Share of a total. */
export const messagesFor = ({ part = 1 }: MessageNode, count: number) => Math.ceil(count * part)
