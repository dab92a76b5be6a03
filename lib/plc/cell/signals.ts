import type { CellSays, PlcSays } from '../rows'

/** What a person sees of a handshake as a line over time; `trigger`: the PLC asks for something and has no answer yet. */
export const signalNames = ['trigger', 'ready', 'busy', 'done', 'error'] as const
export type SignalName = (typeof signalNames)[number]

/** A signal goes on or off, at milliseconds of `performance.now()`. */
export interface SignalChange {
  at: number
  on: boolean
}

/** Changes of each signal, oldest first; before the first it was off. */
export type SignalLines = Readonly<Record<SignalName, readonly SignalChange[]>>

/** Changes of one signal that are remembered. */
const most = 100

/** The last changes of the signals of a handshake. Adding one costs the same however many there were. */
export class Signals {
  readonly #changes: Record<SignalName, SignalChange[]> = {
    trigger: [],
    ready: [],
    busy: [],
    done: [],
    error: [],
  }

  /** @param plc the PLC's words as last seen @param cell the cell's words as last written */
  note(plc: PlcSays | undefined, cell: CellSays | undefined, at: number): void {
    this.#set('trigger', plc !== undefined && asksIn(plc, cell), at)
    if (!cell) return
    for (const name of ['ready', 'busy', 'done', 'error'] as const) this.#set(name, cell[name], at)
  }

  get lines(): SignalLines {
    return this.#changes
  }

  #set(name: SignalName, on: boolean, at: number): void {
    const changes = this.#changes[name]
    if ((changes.at(-1)?.on ?? false) === on) return
    changes.push({ at, on })
    // Twice as many, then half of them: no list is shifted at each change.
    if (changes.length > 2 * most) changes.splice(0, most)
  }
}

/** A bit that is set, a command, or a number that was not answered yet. */
const asksIn = ({ trigger, sequence, command }: PlcSays, cell: CellSays | undefined): boolean =>
  trigger ??
  (sequence !== undefined ? sequence !== 0 && sequence !== cell?.sequenceEcho : (command ?? 0) !== 0)
