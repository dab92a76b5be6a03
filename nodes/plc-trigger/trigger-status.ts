import type { Node, NodeAPI } from 'node-red'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import type { Phase } from '../../lib/plc/handshake'
import { PlcError } from '../../lib/plc/plc-error'
import { startTimeout } from '../../lib/timers/timers'
import { codeOf } from '../shared/node-error'
import { forgetStatus, showStatus } from '../shared/show-status'
import { took } from '../shared/status-numbers'
import type { StatusWord } from '../shared/status-word'

/** Shortest time in ms between two statuses: a cell of ten cycles a second does not flood the editor. */
const pause = 200

const words: Record<Phase, StatusWord> = {
  unknown: 'plcUnknown',
  'not-ready': 'plcNotReady',
  ready: 'plcReady',
  busy: 'plcBusy',
  done: 'plcDone',
  error: 'plcError',
}

/** The codes of a connection mean what they mean of a device; a result that does not fit is no state of it. */
const wordOf = (error: unknown): StatusWord =>
  error instanceof PlcError && error.code !== 'DOES_NOT_FIT' ? error.code : (codeOf(error) ?? 'failed')

/** What a trigger node shows: `ready · 1204 · 43 ms · 2 missed`. */
export class TriggerStatus {
  readonly #RED: NodeAPI
  readonly #node: Node
  #timer: NodeJS.Timeout | undefined
  #next: (() => void) | undefined
  #closed = false

  constructor(RED: NodeAPI, node: Node) {
    this.#RED = RED
    this.#node = node
  }

  show({ phase, counts, cell }: DeployedHandshake): void {
    const { accepted, missed } = counts
    const duration = cell?.lastDuration
    const parts = [
      accepted > 0 ? `· ${accepted.toLocaleString('de-CH').replace(/’/g, '\u202f')}` : '',
      duration === undefined ? '' : `· ${took(duration)}`,
      missed > 0 ? `· ${missed} ✕` : '',
    ].filter(Boolean)
    this.#soon(() => showStatus(this.#RED, this.#node, { word: words[phase], after: parts.join(' ') }))
  }

  trouble(error: unknown): void {
    this.#soon(() => showStatus(this.#RED, this.#node, { word: wordOf(error) }))
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
    forgetStatus(this.#RED, this.#node)
  }

  #soon(show: () => void): void {
    if (this.#closed) return
    this.#next = show
    if (this.#timer) return
    const turn = () => {
      const next = this.#next
      this.#next = undefined
      this.#timer = next && startTimeout(turn, pause)
      next?.()
    }
    turn()
  }
}
