import type { Input, OperationId, Operations, Variant } from '../../../lib/contract'
import type { Scenario } from '../../../virtual-device'
import { networkSettings, robotCalibration } from '../../support/sample-records'

export interface Provocation<Id extends OperationId> {
  input: Input<Id> & object
  scenario?: Partial<Scenario>
  /** Number of successful calls before it. @default 0 */
  times?: number
  /** Some input that differs each time. */
  each?: (time: number) => Partial<Input<Id>>
  /** Another operation to be called first. */
  prepare?: [OperationId, Record<string, unknown>]
  /** The variants on which it can be called so. @default those of the operation */
  variants?: readonly Variant[]
}

export interface Files {
  /** Longer than a template or an element may be. */
  huge: Uint8Array
  artifact: Uint8Array
  license: Uint8Array
}

/** For each operation, what succeeds, and what provokes each error that it lists; a missing one does not compile. */
type Provocations = {
  [Id in OperationId]: { 200: Provocation<Id> } & {
    [Status in keyof Operations[Id]['errors']]: Provocation<Id>
  }
}

const camera = { pipeline: '0', node: 'dev_camera' }
const nowhere = { pipeline: '0', node: 'dev_nothing' }
const fps = { ...camera, param: 'fps' }
const grippers = { node: 'dev_gripper_db' }
const calibrating = { pipeline: '0', node: 'dev_stereocalib', service: 'reset_defaults' }
const unlicensed = {
  license: {
    calibration: false,
    collision_check: false,
    itempick: false,
    boxpick: false,
    silhouettematch: false,
    cadmatch: false,
    generic_robot_interface: false,
  },
}
const hand = {
  id: 'hand',
  elements: [
    {
      id: 'palm',
      parent_id: 'flange',
      type: 'BOX',
      box: { x: 0.1, y: 0.1, z: 0.1 },
      pose: { position: { x: 0, y: 0, z: 0.05 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
    },
  ],
  flange_radius: 0.05,
  tcp_parent_id: 'palm',
}
const noFile = Buffer.from('something else')
const ply = Buffer.from('ply\nformat ascii 1.0\n')
const boxes = { node: 'dev_boxpick' }
const box = { ...boxes, id: 'carton/1' }
const first = { job_id: '1' }
const job = {
  name: 'pick',
  job_type: 'CALL_GLOBAL_SERVICE',
  node: 'dev_gripper_db',
  service: 'get_grippers',
  args: {},
}
const calibration = { pipeline: '0', ...robotCalibration }
const none = { input: {} }

export const provocations = ({ artifact, license, huge }: Files): Provocations => ({
  listGlobalNodes: { 200: none },
  getGlobalNode: { 200: { input: grippers }, 404: { input: { node: 'dev_camera' } } },
  listGlobalServices: { 200: { input: grippers }, 404: { input: { node: 'gripper_db' } } },
  getGlobalService: {
    200: { input: { ...grippers, service: 'set_gripper' } },
    404: { input: { ...grippers, service: 'set_grippers' } },
  },
  callGlobalService: {
    200: { input: { ...grippers, service: 'set_gripper', args: hand } },
    403: { input: { ...grippers, service: 'set_gripper', args: hand }, scenario: unlicensed },
    404: { input: { node: 'dev_nothing', service: 'set_gripper', args: hand } },
  },
  getGlobalNodeStatus: { 200: { input: grippers }, 404: { input: { node: 'dev_stereo_ins' } } },
  listNodes: { 200: { input: { pipeline: '0' } } },
  getNode: { 200: { input: camera }, 404: { input: nowhere } },
  getParameters: {
    200: { input: { ...camera, name: ['fps', 'exp_auto'] } },
    404: { input: { ...camera, name: ['fps', 'nothing'] } },
  },
  setParameters: {
    200: { input: { ...camera, parameters: [{ name: 'fps', value: 12.5 }] } },
    400: { input: { ...camera, parameters: [{ name: 'fps', value: 99 }] } },
    403: {
      input: { ...camera, parameters: [{ name: 'fps', value: 12.5 }] },
      scenario: { genicam_connected: true },
    },
    404: { input: { ...nowhere, parameters: [{ name: 'fps', value: 12.5 }] } },
  },
  getParameter: { 200: { input: fps }, 404: { input: { ...camera, param: 'nothing' } } },
  setParameter: {
    200: { input: { ...fps, value: 10 } },
    400: { input: { ...fps, value: 'fast' } },
    403: { input: { ...fps, value: 10 }, scenario: { genicam_connected: true } },
    404: { input: { ...camera, param: 'nothing', value: 10 } },
  },
  listServices: { 200: { input: camera }, 404: { input: nowhere } },
  getService: {
    200: { input: { ...camera, service: 'reset_defaults' } },
    404: { input: { ...camera, service: 'nothing' } },
  },
  callService: {
    200: { input: calibrating },
    403: { input: calibrating, scenario: unlicensed },
    404: { input: { ...camera, service: 'nothing' } },
  },
  getNodeStatus: { 200: { input: camera }, 404: { input: nowhere } },
  listPipelines: { 200: none },
  getPipeline: { 200: { input: { pipeline: '0' } } },
  getPipelineConfiguration: { 200: none },
  getPipelineType: { 200: { input: { pipeline: '0' } } },
  setPipelineType: {
    200: { input: { pipeline: '0', type: 'stereo_b' } },
    400: { input: { pipeline: '0', type: 'thermal' } },
  },
  deletePipeline: {
    200: { input: { pipeline: '1' }, variants: ['multi'] },
    400: { input: { pipeline: '0' } },
  },
  listLogs: { 200: none },
  getLog: { 200: { input: { log: 'api.log', limit: 5 } }, 404: { input: { log: 'nothing.log' } } },
  getSystem: { 200: none },
  getBackup: { 200: { input: { grippers: false } } },
  restoreBackup: { 200: { input: { backup: { grippers: [hand] } } } },
  getDns: { 200: none },
  setDns: {
    200: { input: { manual_dns_servers: ['10.0.0.1'] } },
    400: { input: { manual_dns_servers: ['nowhere'] } },
  },
  getLicense: { 200: none },
  uploadLicense: { 200: { input: { file: license } }, 400: { input: { file: noFile } } },
  getNetwork: { 200: none },
  getNetworkSettings: { 200: none },
  setNetworkSettings: {
    200: { input: networkSettings },
    400: { input: { ...networkSettings, persistent_subnet_mask: '255.0.255.0' } },
    403: { input: networkSettings, scenario: { genicam_connected: true } },
  },
  getNtp: { 200: none },
  setNtp: {
    200: { input: { manual_ntp_servers: ['time.local'] } },
    400: { input: { manual_ntp_servers: ['a', 'b', 'c', 'd'] } },
  },
  reboot: { 200: none },
  getRollback: { 200: none },
  rollback: {
    200: none,
    400: { input: {}, times: 1 },
    500: { input: {}, scenario: { rollback_fails: true } },
  },
  getTime: { 200: none },
  setTime: {
    200: { input: { utc: '2025-01-17 12:00:00' } },
    400: { input: { utc: '2025-02-30 12:00:00' } },
    403: { input: { utc: '2025-01-17 12:00:00' }, scenario: { ntp_synchronized: true } },
  },
  getUiLock: { 200: none },
  removeUiLock: { 200: none },
  setUiLock: { 200: { input: { hash: 'abc', set: true } } },
  getFirmware: { 200: none },
  uploadFirmware: {
    200: { input: { file: artifact }, scenario: { update_seconds: 0 } },
    400: { input: { file: noFile } },
  },
  listStreams: { 200: none },
  getStream: { 200: { input: { stream: 'pose' } }, 404: { input: { stream: 'nothing' } } },
  addDestination: {
    200: { input: { stream: 'pose', destination: '127.0.0.1:30000' } },
    403: {
      input: { stream: 'pose', destination: '127.0.0.1:30000' },
      times: 10,
      each: (time) => ({ destination: `127.0.0.1:${30_001 + time}` }),
    },
    404: { input: { stream: 'nothing', destination: '127.0.0.1:30000' } },
  },
  removeDestination: {
    200: { input: { stream: 'pose', destination: '127.0.0.1:30000' } },
    404: { input: { stream: 'nothing' } },
  },
  getUserSpace: { 200: none },
  configureUserSpace: { 200: { input: { action: 'enable' } }, 400: { input: { action: 'restart' } } },
  getUserSpaceProxy: { 200: none },
  setUserSpaceProxy: {
    200: { input: { http_proxy: 'http://proxy:3128' } },
    400: { input: { https_proxy: 'nowhere' } },
  },
  listRobotJobs: { 200: { input: {}, prepare: ['putRobotJob', { ...first, job }] } },
  getRobotJob: {
    200: { input: first, prepare: ['putRobotJob', { ...first, job }] },
    404: { input: first },
  },
  putRobotJob: { 200: { input: { ...first, job } } },
  deleteRobotJob: {
    200: { input: first, prepare: ['putRobotJob', { ...first, job }] },
    403: { input: first, scenario: unlicensed },
    404: { input: first },
  },
  listRobotCalibrations: { 200: { input: {}, prepare: ['putRobotCalibration', calibration] } },
  getRobotCalibration: {
    200: { input: { pipeline: '0' }, prepare: ['putRobotCalibration', calibration] },
    404: { input: { pipeline: '0' } },
  },
  putRobotCalibration: { 200: { input: calibration } },
  deleteRobotCalibration: {
    200: { input: { pipeline: '0' }, prepare: ['putRobotCalibration', calibration] },
    403: { input: { pipeline: '0' }, scenario: unlicensed },
    404: { input: { pipeline: '0' } },
  },
  listTemplates: { 200: { input: boxes }, 404: { input: { node: 'dev_camera' } } },
  getTemplate: {
    200: { input: box, prepare: ['putTemplate', { ...box, file: ply }] },
    404: { input: box },
  },
  putTemplate: {
    200: { input: { ...box, file: ply } },
    400: {
      input: { ...box, file: ply },
      times: 100,
      each: (time) => ({ id: `other ${time}` }),
    },
    403: { input: { ...box, file: ply }, scenario: unlicensed },
    404: { input: { ...box, node: 'dev_camera', file: ply } },
    413: { input: { ...box, file: huge } },
  },
  deleteTemplate: {
    200: { input: box, prepare: ['putTemplate', { ...box, file: ply }] },
    403: { input: box, scenario: unlicensed },
    404: { input: box },
  },
  listGripperElements: { 200: none },
  getGripperElement: {
    200: { input: { id: 'palm' }, prepare: ['putGripperElement', { id: 'palm', file: ply }] },
    404: { input: { id: 'palm' } },
  },
  putGripperElement: {
    200: { input: { id: 'palm', file: ply } },
    400: { input: { id: 'palm', file: noFile } },
    413: { input: { id: 'palm', file: huge } },
  },
  deleteGripperElement: {
    200: { input: { id: 'palm' }, prepare: ['putGripperElement', { id: 'palm', file: ply }] },
    404: { input: { id: 'palm' } },
  },
})
