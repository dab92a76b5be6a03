import type { NodeAPI, NodeStatus } from 'node-red'
import type { ErrorCode } from '../../lib/contract'
import type { RobotErrorCode } from '../../lib/robot-motion/robot-error'

type StatusAppearance = Pick<NodeStatus, 'fill' | 'shape'>

// Green means that the device answers and is ready, and that a node's continuous work succeeds.
const trouble: StatusAppearance = { fill: 'red', shape: 'ring' }

/** The states of the connection to a device. */
const linkStates = {
  connecting: { fill: 'yellow', shape: 'ring' },
  ready: { fill: 'green', shape: 'dot' },
  starting: { fill: 'yellow', shape: 'dot' },
  unreachable: trouble,
  loginRefused: trouble,
  otherDevice: trouble,
  inTrouble: trouble,
  askedToWait: { fill: 'yellow', shape: 'ring' },
  wrongSettings: trouble,
} satisfies Record<string, StatusAppearance>
export type LinkState = keyof typeof linkStates

/** Whether a word is one of these. */
export const isLinkState = (word: string): word is LinkState => Object.hasOwn(linkStates, word)

/** Further words: about a node itself or its messages, and for a virtual device without an address to show. */
const furtherWords = {
  noDevice: { fill: 'grey', shape: 'ring' },
  notOnDevice: { fill: 'red', shape: 'ring' },
  done: { fill: 'green', shape: 'dot' },
  doneWithWarnings: { fill: 'yellow', shape: 'dot' },
  restored: { fill: 'green', shape: 'dot' },
  calling: { fill: 'blue', shape: 'dot' },
  waiting: { fill: 'blue', shape: 'dot' },
  rebooting: { fill: 'yellow', shape: 'dot' },
  failed: trouble,
  running: { fill: 'green', shape: 'dot' },
  stopped: { fill: 'grey', shape: 'ring' },
  offline: { fill: 'grey', shape: 'dot' },
  portInUse: trouble,
  otherPortFree: trouble,
  receiving: { fill: 'green', shape: 'dot' },
  losing: { fill: 'yellow', shape: 'dot' },
  awaitingData: { fill: 'yellow', shape: 'ring' },
  noData: trouble,
  dataEnded: trouble,
  foreignData: trouble,
  unreadableData: trouble,
  awaitingImages: { fill: 'yellow', shape: 'ring' },
  lastImage: { fill: 'green', shape: 'ring' },
  imagesSkipped: { fill: 'yellow', shape: 'dot' },
  dynamicsStopped: { fill: 'yellow', shape: 'dot' },
  destinationsFull: trouble,
  notListed: { fill: 'yellow', shape: 'ring' },
  destinationKept: { fill: 'green', shape: 'dot' },
  doubtful: { fill: 'yellow', shape: 'ring' },
  looking: { fill: 'blue', shape: 'dot' },
  calibrating: { fill: 'blue', shape: 'dot' },
  poses: { fill: 'blue', shape: 'ring' },
  waitsForRobot: { fill: 'blue', shape: 'ring' },
  calibrated: { fill: 'blue', shape: 'ring' },
  following: { fill: 'green', shape: 'dot' },
  catchingUp: { fill: 'blue', shape: 'dot' },
  missing: { fill: 'yellow', shape: 'ring' },
  checkingFirmware: { fill: 'blue', shape: 'dot' },
  savingBackup: { fill: 'blue', shape: 'dot' },
  uploading: { fill: 'blue', shape: 'dot' },
  writingImage: { fill: 'yellow', shape: 'dot' },
  verifying: { fill: 'blue', shape: 'dot' },
  rollingBack: { fill: 'yellow', shape: 'ring' },
  waitsForApproval: { fill: 'yellow', shape: 'ring' },
  waitsForDevice: trouble,
  waitsForImage: { fill: 'yellow', shape: 'ring' },
  plcUnknown: { fill: 'yellow', shape: 'ring' },
  plcNotReady: { fill: 'yellow', shape: 'dot' },
  plcReady: { fill: 'green', shape: 'dot' },
  plcBusy: { fill: 'blue', shape: 'dot' },
  plcDone: { fill: 'green', shape: 'ring' },
  plcError: trouble,
  plcMissed: trouble,
  robotsNone: { fill: 'yellow', shape: 'ring' },
  robotsReady: { fill: 'green', shape: 'dot' },
  robotsBusy: { fill: 'blue', shape: 'dot' },
  robotMoving: { fill: 'blue', shape: 'dot' },
  confirmPose: { fill: 'yellow', shape: 'ring' },
  confirmMotion: { fill: 'yellow', shape: 'ring' },
  waitsForEnable: { fill: 'yellow', shape: 'ring' },
  paused: { fill: 'yellow', shape: 'ring' },
  interrupted: { fill: 'yellow', shape: 'ring' },
  fleetAsks: { fill: 'yellow', shape: 'ring' },
  fleetActs: { fill: 'green', shape: 'dot' },
  fleetReads: { fill: 'blue', shape: 'ring' },
  fleetNotSeen: { fill: 'yellow', shape: 'dot' },
} satisfies Record<string, StatusAppearance>

/** The failure of a message. */
const failures: Record<ErrorCode | RobotErrorCode, StatusAppearance> = {
  INVALID_INPUT: trouble,
  BAD_REQUEST: trouble,
  UNAUTHORIZED: trouble,
  FORBIDDEN: trouble,
  NOT_FOUND: trouble,
  TOO_LARGE: trouble,
  RATE_LIMITED: { fill: 'yellow', shape: 'ring' },
  DEVICE_FAULT: trouble,
  STARTING: { fill: 'yellow', shape: 'dot' },
  UNREACHABLE: trouble,
  TIMEOUT: trouble,
  OUTCOME_UNKNOWN: trouble,
  ABORTED: { fill: 'grey', shape: 'ring' },
  BAD_REPLY: trouble,
  REFUSED: trouble,
  BUSY: { fill: 'yellow', shape: 'ring' },
  INTERNAL: trouble,
  NOT_ALLOWED: trouble,
  FROM_COMMAND: trouble,
  NOT_CONFIRMED: { fill: 'yellow', shape: 'ring' },
  RESET_NEEDED: trouble,
  LIMIT: trouble,
  NOT_REMOTE: trouble,
  WRONG_MODE: trouble,
  PROGRAM_RUNNING: trouble,
  NOT_AT_REST: trouble,
  POSE_CHANGED: trouble,
  PROTECTIVE_STOP: trouble,
  EMERGENCY_STOP: trouble,
  SAFETY_STOP: trouble,
  CONNECTION_LOST: trouble,
  ENABLE_LOST: { fill: 'yellow', shape: 'ring' },
  STOPPED: { fill: 'grey', shape: 'ring' },
  NOT_THERE: trouble,
  STOP_UNCONFIRMED: trouble,
}

/** The words, each with its look. */
export const statusLooks = { ...linkStates, ...furtherWords, ...failures }

/** Every word that a node can show; the locale of `device-config` has a text for each. */
export type StatusWord = keyof typeof statusLooks

export const lookOf = (word: StatusWord): StatusAppearance => statusLooks[word]

/** Namespace of the texts in Node-RED's message catalogues. */
const catalogue = '@cellsight/node-red-vision/device-config:device-config.status'

/** Stands for the number in a text that is kept: no text has it. */
const anyCount = '\u0001'

/** Texts by word, as they were looked up: Node-RED takes longer for that than a node for its whole message. */
const looked = new WeakMap<NodeAPI, Map<StatusWord, string>>()

/** The word in the language of this Node-RED. */
export function statusText(RED: NodeAPI, word: StatusWord, count: string | number = 0): string {
  const texts = looked.get(RED) ?? new Map<StatusWord, string>()
  looked.set(RED, texts)
  const text = texts.get(word) ?? RED._(`${catalogue}.${word}`, { count: anyCount })
  // Before the catalogues are loaded, Node-RED answers with the key.
  if (!text.endsWith(`status.${word}`)) texts.set(word, text)
  return text.replaceAll(anyCount, String(count))
}
