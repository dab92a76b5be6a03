import type { Node, NodeAPI } from 'node-red'
import { lookOf, statusText, type LinkState, type StatusWord } from './status-word'
import { startTimeout } from '../../lib/timers/timers'

/** Shortest time in ms between two statuses of one node, so that a burst of messages does not flood the editor. */
const pause = 200

const lines = new WeakMap<Node, StatusLine>()

/** The status of a node; one for all that it does. */
export function statusLineOf(RED: NodeAPI, node: Node): StatusLine {
  const line = lines.get(node) ?? new StatusLine(RED, node)
  lines.set(node, line)
  return line
}

/** What a node on a device shows: its last failure, else its work, else the connection. */
export class StatusLine {
  #link: StatusWord = 'noDevice'
  #failure: StatusWord | undefined
  #open = 0
  #waiting = 0
  #step: [StatusWord, number] | undefined
  #background: [StatusWord, number] | undefined
  #rest: [StatusWord, number] | undefined
  #shown = ''
  #timer: NodeJS.Timeout | undefined
  #closed = false
  readonly #show: (word: StatusWord, count: number) => void

  constructor(RED: NodeAPI, node: Node) {
    this.#show = (word, count) => node.status({ ...lookOf(word), text: statusText(RED, word, count) })
  }

  link(state: LinkState | 'noDevice'): void {
    this.#link = state
    this.#failure = undefined
    this.#update()
  }

  work(open: number, waiting: number): void {
    this.#open = open
    this.#waiting = waiting
    if (open === 0) this.#step = undefined
    this.#update()
  }

  /** Work on the next message begins; it has told of no step yet. */
  begins(): void {
    this.#step = undefined
  }

  /** What the work of the moment is about, until it ends or the next step begins. */
  progress(word: StatusWord, count = 0): void {
    this.#step = [word, count]
    this.#update()
  }

  /** What work that needs no message is doing; nothing shows the connection again. */
  background(word?: StatusWord, count = 0): void {
    this.#background = word && [word, count]
    this.#update()
  }

  /** What the node stands at between its messages, while the device is ready; nothing shows that it is ready. */
  rest(word?: StatusWord, count = 0): void {
    this.#rest = word && [word, count]
    this.#update()
  }

  succeeded(): void {
    this.#failure = undefined
    this.#update()
  }

  failed(word: StatusWord): void {
    this.#failure = word
    this.#update()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #update(): void {
    // While the timer runs, the newest state waits for its end.
    if (this.#timer || this.#closed) return
    const [word, count] = this.#now()
    const shown = `${word} ${count}`
    if (shown === this.#shown) return
    this.#shown = shown
    this.#timer = startTimeout(() => {
      this.#timer = undefined
      this.#update()
    }, pause)
    this.#show(word, count)
  }

  #now(): [StatusWord, number] {
    if (this.#step) return this.#step
    if (this.#waiting > 0) return ['waiting', this.#waiting]
    if (this.#failure) return [this.#failure, 0]
    if (this.#open > 0) return ['calling', 0]
    if (this.#background) return this.#background
    return this.#rest && this.#link === 'ready' ? this.#rest : [this.#link, 0]
  }
}
