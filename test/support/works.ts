import { numbersOfPose, poseText } from '../../lib/robotics'
import { twelvePoses } from '../virtual-device/hand-eye/use-cell'

export interface SampleWork {
  /** Without `vision-`. */
  node: string
  fields?: object
  message?: object
  /** Sent first, in sequence. */
  before?: readonly object[]
  /** @default 'single' */
  variant?: 'multi'
}

const poses = twelvePoses.slice(0, 6).map((pose) => poseText('kuka', numbersOfPose('kuka', pose)))
/** A whole calibration up to this command. */
const calibration = (last: string) => {
  const messages = [
    { topic: 'start' },
    ...poses.map((payload, index) => ({ topic: 'pose', payload, poseNumber: index + 1 })),
    { topic: 'calibrate' },
    { topic: 'save' },
  ]
  return messages.slice(0, messages.findLastIndex(({ topic }) => topic === last) + 1)
}
const handEye = (topic: string, payload: unknown = ''): SampleWork => ({
  node: 'hand-eye-calibration',
  fields: { gridWidth: 260, gridHeight: 180, settling: 0, deadline: 1, list: 'now', save: 'ask' },
  message: { topic, payload },
})
const system = (action: string, payload: unknown = '', more: object = {}): SampleWork => ({
  node: 'system',
  fields: { action, confirmed: true },
  message: { payload, ...more },
})
const request = (operation: string, payload: unknown = {}): SampleWork => ({
  node: 'device-request',
  fields: { operation, input: 'payload', inputType: 'msg', confirmed: true },
  message: { payload },
})
const region = {
  id: 'bin',
  type: 'BOX',
  pose_frame: 'camera',
  box: { x: 0.4, y: 0.3, z: 0.2 },
  pose: { position: { x: 0, y: 0, z: 0.8 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
}

/** Everything that nodes do immediately with a device. */
export const works: Readonly<Record<string, SampleWork>> = {
  'get-one': { node: 'get-parameter', fields: { node: 'dev_camera', parameter: 'fps' } },
  'get-several': {
    node: 'get-parameter',
    fields: { node: 'dev_camera', which: 'several', parameter: 'fps,exp_auto', output: 'record' },
  },
  'get-all': { node: 'get-parameter', fields: { node: 'dev_camera', which: 'all' } },
  'set-one': {
    node: 'set-parameter',
    fields: { node: 'dev_camera', parameter: 'fps' },
    message: { payload: 20 },
  },
  'set-several': {
    node: 'set-parameter',
    fields: { node: 'dev_camera', which: 'several' },
    message: { payload: { fps: 20, exp_auto: true } },
  },
  call: {
    node: 'call-service',
    fields: { node: 'dev_camera', service: 'reset_defaults' },
  },
  'call-global': {
    node: 'call-service',
    fields: {
      pipeline: '',
      node: 'dev_roi_db',
      service: 'get_regions_of_interest',
      onRefusal: 'output',
      outputs: 2,
    },
  },
  'request-system': request('getSystem'),
  'request-nodes': request('listNodes', { pipeline: '0' }),
  'request-log': request('getLog', { log: 'api.log', limit: 5 }),
  'request-text': request('getLog', { log: 'api.log', format: 'raw' }),
  'request-service': request('callService', {
    pipeline: '0',
    node: 'dev_camera',
    service: 'reset_defaults',
    args: {},
  }),
  'request-destination': request('addDestination', { stream: 'imu', destination: '127.0.0.1:30009' }),
  'status-node': { node: 'get-status', fields: { node: 'dev_camera' } },
  'status-one': { node: 'get-status', fields: { node: 'dev_camera', which: 'one', value: 'fps' } },
  'status-system': {
    node: 'get-status',
    fields: { what: 'system', which: 'several', value: 'ready,ntp.synchronized' },
  },
  info: system('info'),
  'get-time': system('getTime'),
  'set-time': system('setTime', '2026-01-02 03:04:05'),
  'get-ntp': system('getNtp'),
  'set-ntp': system('setNtp', ['127.0.0.1']),
  'get-dns': system('getDns'),
  'get-network': system('getNetwork'),
  'set-network': system('setNetwork', '', {}),
  'get-license': system('getLicense'),
  'get-lock': system('getUiLock'),
  'check-lock': system('checkUiLock', '', { hash: 'abc123' }),
  'save-backup': { node: 'backup', fields: { target: 'message' } },
  compare: {
    node: 'backup',
    fields: { action: 'compare', source: 'payload', sourceType: 'msg' },
    message: { payload: { pipelines: {} } },
  },
  'list-pipelines': { node: 'pipeline', variant: 'multi' },
  'configure-pipeline': {
    node: 'pipeline',
    variant: 'multi',
    fields: { action: 'configure', pipeline: '1', kind: 'stereo_b' },
  },
  'list-destinations': { node: 'stream-destination', fields: { stream: 'imu', action: 'list' } },
  'add-destination': {
    node: 'stream-destination',
    fields: { stream: 'imu', action: 'add', destination: '127.0.0.1:30010' },
  },
  'get-regions': { node: 'database', fields: { action: 'get' } },
  'set-region': { node: 'database', fields: { from: 'message' }, message: { payload: region } },
  'get-region': { node: 'database', fields: { action: 'get', recordId: 'bin' } },
  'delete-region': { node: 'database', fields: { action: 'delete', recordId: 'other' } },
  'hand-eye-status': handEye('status'),
  'hand-eye-pose': {
    ...handEye('pose', poses[0]),
    message: { topic: 'pose', payload: poses[0], poseNumber: 1 },
  },
  'hand-eye-calibrate': { ...handEye('calibrate'), before: calibration('pose') },
  'hand-eye-save': { ...handEye('save'), before: calibration('calibrate') },
  'hand-eye-check': {
    ...handEye('check', { seen: { x: 0, y: 0, z: 0.5 }, touched: [600, 0, 0], robot: poses[0] }),
    before: calibration('save'),
  },
  'hand-eye-undo': handEye('undo'),
  'hand-eye-start': handEye('start'),
}
