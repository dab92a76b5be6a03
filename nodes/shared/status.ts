import type { Node, NodeAPI, NodeStatus } from 'node-red'
import type { ErrorCode } from '../../lib/contract'
import type { RobotErrorCode } from '../../lib/robot-motion/state'
import { startTimeout } from '../../lib/kernel/timers'
import { isCodedError } from '../../lib/kernel/errors'
import { anyCodeOf, currentLanguage } from './node-error'
import type { OutcomeSummary } from './outcome'

/** Independent of the language. */
export interface StatusParts {
  word: StatusWord
  count?: string | number
  /** Duration and time. */
  after?: string
  /** At the end: `2 missed`. */
  remark?: StatusRemark
}

interface StatusRemark {
  word: StatusWord
  count: number
}

export interface PublishedStatus extends StatusParts {
  text: string
}

/** Node-RED publishes texts only; an editor in another language renders these parts. */
const topicOf = ({ id }: Node) => `vision-status/${id}`

/** In Node-RED's language; Status nodes find the parts in `msg.status.vision`. */
export function showStatus(RED: NodeAPI, node: Node, parts: StatusParts): void {
  const { word, count, after, remark } = parts
  const own = [statusText(RED, word, count), after].filter(Boolean).join(' ')
  const text = remark ? `${own} · ${statusText(RED, remark.word, remark.count)}` : own
  node.status({ ...appearanceOf(word), text, vision: parts } as Parameters<Node['status']>[0])
  RED.comms.publish(topicOf(node), { ...parts, text } satisfies PublishedStatus, true)
}

/** Otherwise editors opened later would show a closed node. */
export const forgetStatus = (RED: NodeAPI, node: Node): void => RED.comms.publish(topicOf(node), {}, false)

type StatusAppearance = Pick<NodeStatus, 'fill' | 'shape'>

// Green: the device answers and is ready, and a node's continuous work succeeds.
const trouble: StatusAppearance = { fill: 'red', shape: 'ring' }

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

export const isLinkState = (word: string): word is LinkState => Object.hasOwn(linkStates, word)

/** About a node or its messages, and for a virtual device without an address. */
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
  plcUnwritten: { fill: 'yellow', shape: 'ring' },
  plcSilent: { fill: 'yellow', shape: 'ring' },
  plcPortClosed: trouble,
  plcConnectionTaken: trouble,
  plcNoAnswer: trouble,
  plcOtherProtocol: trouble,
  plcAscii: trouble,
  plcWriteProtected: trouble,
  plcNoMemory: trouble,
  plcNoBlock: trouble,
  plcShortBlock: trouble,
  plcPutGet: trouble,
  plcPassword: trouble,
  plcSlow: { fill: 'yellow', shape: 'dot' },
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
  waitsForCollector: { fill: 'yellow', shape: 'ring' },
  waitsForBroker: { fill: 'yellow', shape: 'ring' },
  fleetActs: { fill: 'green', shape: 'dot' },
  fleetReads: { fill: 'blue', shape: 'ring' },
  fleetNotSeen: { fill: 'yellow', shape: 'dot' },
} satisfies Record<string, StatusAppearance>

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

export const statusAppearances = { ...linkStates, ...furtherWords, ...failures }

/** Every word; the locale of `device-config` has a text for each. */
export type StatusWord = keyof typeof statusAppearances

/** Failures of the connection to a PLC that a code alone does not tell apart, by the keys of their sentences. */
const wordsOfKeys = new Map<string, StatusWord>([
  ['slmp-no-listener', 'plcPortClosed'],
  ['slmp-udp-refused', 'plcPortClosed'],
  ['slmp-closed-early', 'plcConnectionTaken'],
  ['slmp-silent', 'plcNoAnswer'],
  ['slmp-silent-udp', 'plcNoAnswer'],
  ['slmp-plc-protocol', 'plcOtherProtocol'],
  ['slmp-plc-length', 'plcOtherProtocol'],
  ['slmp-plc-ascii', 'plcAscii'],
  ['slmp-ascii', 'plcAscii'],
  ['slmp-write-during-run', 'plcWriteProtected'],
  ['slmp-beyond-devices', 'plcNoMemory'],
  ['slmp-no-device', 'plcNoMemory'],
  ['slmp-range', 'plcNoMemory'],
  ['slmp-locked', 'plcPassword'],
  ['s7-no-listener', 'plcPortClosed'],
  ['s7-closed-early', 'plcConnectionTaken'],
  ['s7-disconnect', 'plcConnectionTaken'],
  ['s7-silent', 'plcNoAnswer'],
  ['s7-silent-early', 'plcOtherProtocol'],
  ['s7-http', 'plcOtherProtocol'],
  ['s7-other-protocol', 'plcOtherProtocol'],
  ['s7-write-refused', 'plcWriteProtected'],
  ['s7-no-memory', 'plcNoMemory'],
  ['s7-no-block', 'plcNoBlock'],
  ['s7-short-block', 'plcShortBlock'],
  ['s7-put-get', 'plcPutGet'],
  ['s7-protected', 'plcPassword'],
])

const wordOf = (error: unknown): StatusWord =>
  (isCodedError(error) && wordsOfKeys.get(error.key)) || (anyCodeOf(error) ?? 'failed')

const appearanceOf = (word: StatusWord): StatusAppearance => statusAppearances[word]

/** In Node-RED's message catalogues. */
const catalogue = '@cellsight/node-red-vision/device-config:device-config.status'

/** Placeholder of the number in a cached text. */
const anyCount = '\u0001'

/** Cached: a look-up in Node-RED takes longer than a whole message. */
const looked = new WeakMap<NodeAPI, Map<StatusWord, string>>()

/** In Node-RED's language. */
export function statusText(RED: NodeAPI, word: StatusWord, count: string | number = 0): string {
  const texts = looked.get(RED) ?? new Map<StatusWord, string>()
  looked.set(RED, texts)
  const text = texts.get(word) ?? RED._(`${catalogue}.${word}`, { count: anyCount })
  // Node-RED returns the key until the catalogues are loaded.
  if (!text.endsWith(`status.${word}`)) texts.set(word, text)
  return text.replaceAll(anyCount, String(count))
}

/** Local time, `14:03:12`. */
export const timeOfDay = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

/** `340 ms`, `2.4 s`, `12 min` */
export function took(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.max(1, Math.round(milliseconds))} ms`
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${seconds.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 })} s`
  return `${Math.round(seconds / 60)} min`
}

const formats = new Map<string | undefined, Intl.NumberFormat>()

/** With grouped thousands; formats are cached because creating one is slow. */
export function grouped(count: number): string {
  const language = currentLanguage()
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format.format(count)
}

/** Shortest time between statuses of a node, ms: a burst must not flood the editor. */
const pause = 200

interface StatusEnding {
  word: StatusWord
  at: Date
  /** Missing for a failure. */
  milliseconds?: number
}

interface ShownStatus {
  word: StatusWord
  count?: string | number
  ending?: StatusEnding
  after?: string
  remark?: StatusRemark
}

/** Status of a waiting call; the messages behind it wait for the same. */
const waits: Partial<Record<LinkState | 'noDevice', StatusWord>> = {
  connecting: 'connecting',
  starting: 'starting',
  unreachable: 'waitsForDevice',
}

const isGood = ({ word }: ShownStatus) => appearanceOf(word).fill === 'green'

const isSame = (one: ShownStatus, other: ShownStatus) =>
  one.word === other.word &&
  one.count === other.count &&
  one.ending === other.ending &&
  one.after === other.after &&
  one.remark?.count === other.remark?.count

const endingText = ({ milliseconds, at }: StatusEnding) =>
  [milliseconds === undefined ? '' : took(milliseconds), timeOfDay(at)].filter(Boolean).join(' ')

const lines = new WeakMap<Node, StatusLine>()

export function statusLineOf(RED: NodeAPI, node: Node): StatusLine {
  const line = lines.get(node) ?? new StatusLine(RED, node)
  lines.set(node, line)
  return line
}

/**
 * Shows the current work or the wait for the device, otherwise the end of the last message, a failure until the next
 * success. A connection that is not good shows until a later failure replaces it.
 */
export class StatusLine {
  /** Undefined without a device. */
  #link: LinkState | 'noDevice' | undefined
  #failure: StatusEnding | undefined
  #failedSinceLink = false
  #result: StatusEnding | undefined
  #missing: string | undefined
  #open = 0
  #waiting = 0
  #step: ShownStatus | undefined
  #background: ShownStatus | undefined
  #rest: ShownStatus | undefined
  #shown: ShownStatus = { word: 'ready', count: '' }
  #timer: NodeJS.Timeout | undefined
  #closed = false
  readonly #show: (shown: ShownStatus) => void
  readonly #forget: () => void

  constructor(RED: NodeAPI, node: Node) {
    this.#show = ({ word, count, ending, after = ending && endingText(ending), remark }) =>
      showStatus(RED, node, {
        word,
        ...(count !== undefined && { count }),
        ...(after && { after }),
        ...(remark && { remark }),
      })
    this.#forget = () => forgetStatus(RED, node)
  }

  link(state: LinkState | 'noDevice'): void {
    this.#link = state
    this.#failedSinceLink = false
    this.#update()
  }

  work(open: number, waiting: number): void {
    this.#open = open
    this.#waiting = waiting
    if (open === 0) this.#step = undefined
    this.#update()
  }

  begins(): void {
    this.#step = undefined
  }

  /** Until the work ends or the next step begins. */
  progress(word: StatusWord, count = 0): void {
    this.#step = { word, count }
    this.#update()
  }

  /** Of message-independent work; without a word, the connection shows again. */
  background(
    word?: StatusWord,
    count: string | number = 0,
    more: Pick<ShownStatus, 'after' | 'remark'> = {},
  ): void {
    this.#background = word && { word, count, ...more }
    this.#update()
  }

  /** Between messages of a procedure; without a word, the last message shows. */
  rest(word?: StatusWord, count = 0): void {
    this.#rest = word && { word, count }
    this.#update()
  }

  /** Names that the device lacks; undefined clears them. */
  missing(names?: string): void {
    this.#missing = names
    this.#update()
  }

  /** With its error or answer, or neither if nothing was sent. */
  left(error: unknown, answer?: { summary: OutcomeSummary; milliseconds: number }): void {
    const at = new Date()
    this.#failedSinceLink = error !== undefined
    this.#failure = error === undefined ? undefined : { word: wordOf(error), at }
    if (answer) {
      const { summary, milliseconds } = answer
      this.#missing = undefined
      const word = summary.word ?? (summary.state === 'warning' ? 'doneWithWarnings' : 'done')
      this.#result = { word, milliseconds, at }
    }
    this.#update()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#forget()
  }

  #update(): void {
    // The running timer shows the newest state.
    if (this.#timer || this.#closed) return
    const shown = this.#now()
    if (isSame(shown, this.#shown)) return
    this.#shown = shown
    this.#timer = startTimeout(() => {
      this.#timer = undefined
      this.#update()
    }, pause)
    this.#show(shown)
  }

  #now(): ShownStatus {
    const link = this.#link === 'ready' ? undefined : this.#link
    if (this.#step) return this.#step
    const waitsFor = this.#open > 0 && link && waits[link]
    if (waitsFor) return { word: waitsFor }
    if (this.#waiting > 0) return { word: 'waiting', count: this.#waiting }
    if (link && this.#open === 0 && !this.#background && !this.#failedSinceLink) return { word: link }
    if (this.#failure) return { word: this.#failure.word, ending: this.#failure }
    if (this.#open > 0) return { word: 'calling' }
    // Successful work proves that the names exist.
    const isMissing = this.#missing !== undefined && !link
    if (this.#background && !(isMissing && !isGood(this.#background))) return this.#background
    if (link) return { word: link }
    if (this.#rest) return this.#rest
    if (this.#missing !== undefined) return { word: 'notOnDevice', count: this.#missing }
    if (this.#result) return { word: this.#result.word, ending: this.#result }
    return { word: 'ready' }
  }
}
