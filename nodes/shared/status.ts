import type { Node, NodeAPI, NodeStatus } from 'node-red'
import type { ErrorCode } from '../../lib/contract'
import type { RobotErrorCode } from '../../lib/robot-motion/state'
import { startTimeout } from '../../lib/kernel/timers'
import { anyCodeOf, currentLanguage } from './node-error'
import type { OutcomeSummary } from './outcome'

/** A status in parts that do not depend on the language. */
export interface StatusParts {
  word: StatusWord
  /** A number or names within the word. */
  count?: string | number
  /** Duration and time of what the word describes. */
  after?: string
  /** A further remark at the end: `2 missed`. */
  remark?: StatusRemark
}

interface StatusRemark {
  word: StatusWord
  count: number
}

/** A status as published to editors. */
export interface PublishedStatus extends StatusParts {
  /** The text published by Node-RED. */
  text: string
}

/** Node-RED publishes texts only; with these parts an editor in another language can show its own words. */
const topicOf = ({ id }: Node) => `vision-status/${id}`

/** Shows a status in Node-RED's language. Status nodes find its parts in `msg.status.vision`. */
export function showStatus(RED: NodeAPI, node: Node, parts: StatusParts): void {
  const { word, count, after, remark } = parts
  const own = [statusText(RED, word, count), after].filter(Boolean).join(' ')
  const text = remark ? `${own} · ${statusText(RED, remark.word, remark.count)}` : own
  node.status({ ...lookOf(word), text, vision: parts } as Parameters<Node['status']>[0])
  RED.comms.publish(topicOf(node), { ...parts, text } satisfies PublishedStatus, true)
}

/** Removes the parts of a closed node, so that they are not shown to editors opened later. */
export const forgetStatus = (RED: NodeAPI, node: Node): void => RED.comms.publish(topicOf(node), {}, false)

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
  plcUnwritten: { fill: 'yellow', shape: 'ring' },
  plcSilent: { fill: 'yellow', shape: 'ring' },
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
export const statusAppearances = { ...linkStates, ...furtherWords, ...failures }

/** Every word that a node can show; the locale of `device-config` has a text for each. */
export type StatusWord = keyof typeof statusAppearances

const lookOf = (word: StatusWord): StatusAppearance => statusAppearances[word]

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

/** Node-RED's local time: `14:03:12`. */
export const timeOfDay = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

/** A duration in its shortest readable form: `340 ms`, `2.4 s`, `12 min`. */
export function took(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.max(1, Math.round(milliseconds))} ms`
  const seconds = milliseconds / 1000
  if (seconds < 100) return `${seconds.toLocaleString(currentLanguage(), { maximumFractionDigits: 1 })} s`
  return `${Math.round(seconds / 60)} min`
}

const formats = new Map<string | undefined, Intl.NumberFormat>()

/** A count with its thousands grouped. A format takes far longer to make than to use. */
export function grouped(count: number): string {
  const language = currentLanguage()
  const format = formats.get(language) ?? new Intl.NumberFormat(language)
  formats.set(language, format)
  return format.format(count)
}

/** Shortest time in ms between two statuses of one node, so that a burst of messages does not flood the editor. */
const pause = 200

/** How a message ended. */
interface StatusEnding {
  word: StatusWord
  at: Date
  /** Missing for a failure, whose time is what matters. */
  milliseconds?: number
}

/** The content of a status: a word, a number or name within it, and how the last message ended. */
interface ShownStatus {
  word: StatusWord
  count?: string | number
  ending?: StatusEnding
  after?: string
  remark?: StatusRemark
}

/** What a node shows whose call waits for its device: the messages behind it wait for the same. */
const waits: Partial<Record<LinkState | 'noDevice', StatusWord>> = {
  connecting: 'connecting',
  starting: 'starting',
  unreachable: 'waitsForDevice',
}

const isGood = ({ word }: ShownStatus) => lookOf(word).fill === 'green'

const isSame = (one: ShownStatus, other: ShownStatus) =>
  one.word === other.word &&
  one.count === other.count &&
  one.ending === other.ending &&
  one.after === other.after &&
  one.remark?.count === other.remark?.count

const endingText = ({ milliseconds, at }: StatusEnding) =>
  [milliseconds === undefined ? '' : took(milliseconds), timeOfDay(at)].filter(Boolean).join(' ')

const lines = new WeakMap<Node, StatusLine>()

/** The status line of a node, shared by everything that it does. */
export function statusLineOf(RED: NodeAPI, node: Node): StatusLine {
  const line = lines.get(node) ?? new StatusLine(RED, node)
  lines.set(node, line)
  return line
}

/**
 * Decides what a node shows: its current work, or that it waits for the device, otherwise how its last message ended, a failure until the next success.
 * The connection shows while it is not good; a failure that comes later replaces it, and each shows again when the
 * connection is good.
 */
export class StatusLine {
  /** Undefined for a node without a device. */
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

  /** Work on the next message begins, without a step so far. */
  begins(): void {
    this.#step = undefined
  }

  /** The current step of the work, until the work ends or the next step begins. */
  progress(word: StatusWord, count = 0): void {
    this.#step = { word, count }
    this.#update()
  }

  /** The progress of message-independent work; without a word, the connection shows again. */
  background(
    word?: StatusWord,
    count: string | number = 0,
    more: Pick<ShownStatus, 'after' | 'remark'> = {},
  ): void {
    this.#background = word && { word, count, ...more }
    this.#update()
  }

  /** The state of a procedure between its messages; without a word, the end of the last message shows. */
  rest(word?: StatusWord, count = 0): void {
    this.#rest = word && { word, count }
    this.#update()
  }

  /** Names of the node that its device does not have; without names, clears them. */
  missing(names?: string): void {
    this.#missing = names
    this.#update()
  }

  /** A message has left: with its error or its answer, or with neither if nothing was sent. */
  left(error: unknown, answer?: { told: OutcomeSummary; milliseconds: number }): void {
    const at = new Date()
    this.#failedSinceLink = error !== undefined
    this.#failure = error === undefined ? undefined : { word: anyCodeOf(error) ?? 'failed', at }
    if (answer) {
      const { told, milliseconds } = answer
      this.#missing = undefined
      const word = told.word ?? (told.state === 'warning' ? 'doneWithWarnings' : 'done')
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
    // While the timer runs, the newest state waits for it.
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
    // Where the work succeeds, the names are there.
    const isMissing = this.#missing !== undefined && !link
    if (this.#background && !(isMissing && !isGood(this.#background))) return this.#background
    if (link) return { word: link }
    if (this.#rest) return this.#rest
    if (this.#missing !== undefined) return { word: 'notOnDevice', count: this.#missing }
    if (this.#result) return { word: this.#result.word, ending: this.#result }
    return { word: 'ready' }
  }
}
