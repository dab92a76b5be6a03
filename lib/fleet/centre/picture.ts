import type { CellState, FleetDevice } from '../messages'
import type { Member } from './member'
import type { Clock } from './post'

/** A cell as its last state describes it. */
export interface CellPicture {
  plant: string
  cell: string
  state: CellState
  /** Steady milliseconds at which the cell wrote its state, by our clock. */
  at: number
  /** Whether its connection to the broker has been lost since. */
  gone: boolean
  /** Starts of its agent before this one, the last ones: their messages are late. */
  formerBoots: readonly string[]
}

export interface PictureOptions {
  clock: Clock
  /** @default 10 000 */
  mostCells?: number
  /** @default 20 000 */
  mostDevices?: number
}

/** How many intervals a cell may be silent. */
const patience = 2.5
const boots = 4

/** What was done with a state: `late` if a newer one is known, `full` if there are too many cells. */
export type HeardState = 'new' | 'same' | 'late' | 'full'

/** All cells and devices as they say, in bounded memory. */
export class Picture {
  readonly #cells = new Map<string, CellPicture>()
  readonly #clock: Clock
  readonly #mostCells: number
  readonly #mostDevices: number
  #devices = 0

  constructor({ clock, mostCells = 10_000, mostDevices = 20_000 }: PictureOptions) {
    this.#clock = clock
    this.#mostCells = mostCells
    this.#mostDevices = mostDevices
  }

  /**
   * Takes over the state of a cell. Order follows `boot` and `n`, age the expiry that the broker has counted down: the
   * clock of the cell may be wrong.
   * @param left seconds until the broker drops the state; without it, the state is as old as its arrival
   */
  hear(state: CellState, left?: number): HeardState {
    const key = keyOf(state)
    const known = this.#cells.get(key)
    if (known && isLate(known, state)) return 'late'
    const at = this.#clock.steady() - ageOf(state, left)
    if (known?.state.boot === state.boot && known.state.n === state.n) {
      known.at = Math.max(known.at, at)
      return 'same'
    }
    const devices = this.#devices + state.devices.length - (known?.state.devices.length ?? 0)
    if (devices > this.#mostDevices || (!known && this.#cells.size >= this.#mostCells)) return 'full'
    this.#devices = devices
    const formerBoots =
      known && known.state.boot !== state.boot
        ? [known.state.boot, ...known.formerBoots].slice(0, boots)
        : (known?.formerBoots ?? [])
    const { plant, cell } = state
    this.#cells.set(key, { plant, cell, state, at, gone: false, formerBoots })
    return 'new'
  }

  /** The broker has lost the connection to the cell. */
  lose(plant: string, cell: string): void {
    const known = this.#cells.get(keyOf({ plant, cell }))
    if (known) known.gone = true
  }

  /** The retained state was deleted: the cell has left the fleet. */
  forget(plant: string, cell: string): void {
    const key = keyOf({ plant, cell })
    this.#devices -= this.#cells.get(key)?.state.devices.length ?? 0
    this.#cells.delete(key)
  }

  /** Forgets cells whose state has faded at the broker. */
  fade(): void {
    const now = this.#clock.steady()
    for (const { plant, cell, state, at } of this.#cells.values())
      if (now - at > 1000 * state.expires) this.forget(plant, cell)
  }

  get cells(): Iterable<CellPicture> {
    return this.#cells.values()
  }

  get size(): { cells: number; devices: number } {
    return { cells: this.#cells.size, devices: this.#devices }
  }

  cell(plant: string, cell: string): CellPicture | undefined {
    return this.#cells.get(keyOf({ plant, cell }))
  }

  device({ plant, cell, device }: Member): FleetDevice | undefined {
    return this.cell(plant, cell)?.state.devices.find((one) => one.device === device)
  }

  /** Whether the cell can be expected to hear a command. */
  isSeen(cell: CellPicture): boolean {
    return !cell.gone && this.ageOf(cell) <= patience * cell.state.every
  }

  /** Seconds since the cell wrote its state. */
  ageOf({ at }: CellPicture): number {
    return (this.#clock.steady() - at) / 1000
  }
}

const keyOf = ({ plant, cell }: { plant: string; cell: string }) => `${plant}/${cell}`

const isLate = ({ state, formerBoots }: CellPicture, { boot, n }: CellState) =>
  formerBoots.includes(boot) || (state.boot === boot && n < state.n)

/** Milliseconds. The broker passes on what is left of the expiry, so a state that it has kept is older by the rest. */
const ageOf = ({ expires }: CellState, left = expires) => 1000 * Math.max(0, expires - left)
