import type { Node, NodeAPI } from 'node-red'
import { anyCodeOf } from './node-error'
import type { OutcomeSummary } from './outcome'
import { timeOfDay, took } from './status-numbers'
import { forgetStatus, showStatus, type StatusRemark } from './show-status'
import { lookOf, type LinkState, type StatusWord } from './status-word'
import { startTimeout } from '../../lib/timers/timers'

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
  background(word?: StatusWord, count = 0, more: Pick<ShownStatus, 'after' | 'remark'> = {}): void {
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
