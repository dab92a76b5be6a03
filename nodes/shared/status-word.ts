import type { NodeAPI, NodeStatus } from 'node-red'
import type { ErrorCode } from '../../lib/contract'

/** The states of the connection to a device. */
export const linkStates = [
  'connecting',
  'ready',
  'starting',
  'unreachable',
  'loginRefused',
  'otherDevice',
  'inTrouble',
  'askedToWait',
  'wrongSettings',
] as const
export type LinkState = (typeof linkStates)[number]

/** Further words: about a node itself or its messages, and for a virtual device without an address to show. */
export const furtherWords = [
  'noDevice',
  'notOnDevice',
  'done',
  'doneWithWarnings',
  'restored',
  'calling',
  'waiting',
  'rebooting',
  'failed',
  'running',
  'stopped',
  'offline',
  'portInUse',
  'otherPortFree',
  'receiving',
  'losing',
  'awaitingData',
  'noData',
  'dataEnded',
  'foreignData',
  'unreadableData',
  'dynamicsStopped',
  'destinationsFull',
  'notListed',
  'destinationKept',
  'doubtful',
  'looking',
  'calibrating',
  'poses',
  'waitsForRobot',
  'calibrated',
  'following',
  'catchingUp',
  'missing',
  'checkingFirmware',
  'savingBackup',
  'uploading',
  'writingImage',
  'verifying',
  'rollingBack',
  'waitsForApproval',
  'waitsForDevice',
  'waitsForImage',
  'plcUnknown',
  'plcNotReady',
  'plcReady',
  'plcBusy',
  'plcDone',
  'plcError',
  'plcMissed',
] as const

/** Every word that a node can show; the texts are in the locale of `device-config`. */
export type StatusWord = LinkState | (typeof furtherWords)[number] | ErrorCode

type StatusAppearance = Pick<NodeStatus, 'fill' | 'shape'>

/** Green means that the device answers and is ready, and that a node's continuous work succeeds. */
const looks: Partial<Record<StatusWord, StatusAppearance>> = {
  ready: { fill: 'green', shape: 'dot' },
  done: { fill: 'green', shape: 'dot' },
  restored: { fill: 'green', shape: 'dot' },
  doneWithWarnings: { fill: 'yellow', shape: 'dot' },
  notOnDevice: { fill: 'red', shape: 'ring' },
  receiving: { fill: 'green', shape: 'dot' },
  destinationKept: { fill: 'green', shape: 'dot' },
  losing: { fill: 'yellow', shape: 'dot' },
  awaitingData: { fill: 'yellow', shape: 'ring' },
  notListed: { fill: 'yellow', shape: 'ring' },
  dynamicsStopped: { fill: 'yellow', shape: 'dot' },
  following: { fill: 'green', shape: 'dot' },
  catchingUp: { fill: 'blue', shape: 'dot' },
  missing: { fill: 'yellow', shape: 'ring' },
  connecting: { fill: 'yellow', shape: 'ring' },
  starting: { fill: 'yellow', shape: 'dot' },
  askedToWait: { fill: 'yellow', shape: 'ring' },
  STARTING: { fill: 'yellow', shape: 'dot' },
  RATE_LIMITED: { fill: 'yellow', shape: 'ring' },
  BUSY: { fill: 'yellow', shape: 'ring' },
  calling: { fill: 'blue', shape: 'dot' },
  waiting: { fill: 'blue', shape: 'dot' },
  rebooting: { fill: 'yellow', shape: 'dot' },
  ABORTED: { fill: 'grey', shape: 'ring' },
  checkingFirmware: { fill: 'blue', shape: 'dot' },
  savingBackup: { fill: 'blue', shape: 'dot' },
  uploading: { fill: 'blue', shape: 'dot' },
  writingImage: { fill: 'yellow', shape: 'dot' },
  waitsForImage: { fill: 'yellow', shape: 'ring' },
  verifying: { fill: 'blue', shape: 'dot' },
  rollingBack: { fill: 'yellow', shape: 'ring' },
  waitsForApproval: { fill: 'yellow', shape: 'ring' },
  looking: { fill: 'blue', shape: 'dot' },
  calibrating: { fill: 'blue', shape: 'dot' },
  poses: { fill: 'blue', shape: 'ring' },
  waitsForRobot: { fill: 'blue', shape: 'ring' },
  calibrated: { fill: 'blue', shape: 'ring' },
  doubtful: { fill: 'yellow', shape: 'ring' },
  running: { fill: 'green', shape: 'dot' },
  plcUnknown: { fill: 'yellow', shape: 'ring' },
  plcNotReady: { fill: 'yellow', shape: 'dot' },
  plcReady: { fill: 'green', shape: 'dot' },
  plcBusy: { fill: 'blue', shape: 'dot' },
  plcDone: { fill: 'green', shape: 'ring' },
  stopped: { fill: 'grey', shape: 'ring' },
  offline: { fill: 'grey', shape: 'dot' },
  noDevice: { fill: 'grey', shape: 'ring' },
}
const trouble: StatusAppearance = { fill: 'red', shape: 'ring' }

export const lookOf = (word: StatusWord): StatusAppearance => looks[word] ?? trouble

/** Namespace of the texts in Node-RED's message catalogues. */
const catalogue = '@cellsight/node-red-vision/device-config:device-config.status'

/** The word in the language of this Node-RED. */
export const statusText = (RED: NodeAPI, word: StatusWord, count: string | number = 0): string =>
  RED._(`${catalogue}.${word}`, { count: String(count) })
