import type { LogEntry } from '../../lib/contract'
import type { logs } from '../../lib'

const key = ({ timestamp, level, component, message }: LogEntry) =>
  `${timestamp} ${level} ${component} ${message}`

interface Item {
  key: string
  /** Whether it is marked as possibly repeated, and may be. */
  mayRepeat: boolean
}

/**
 * What was delivered of one log, and whether it is correct: in order, nothing twice, nothing missing except at gaps.
 */
export class Account {
  /** Entries between gaps. */
  readonly #runs: Item[][] = [[]]
  /** Everything delivered, in order. After a crash, what was not recorded may be delivered once more. */
  readonly #handedOn: { key: string; mayRepeat?: boolean }[] = []
  readonly #from: number
  gaps = 0

  /** @param from number of existing entries at the start, which must not be delivered */
  constructor(from: number) {
    this.#from = from
  }

  take(lines: readonly logs.LogLine[]): void {
    for (const line of lines) {
      const before = line.repeated
        ? this.#handedOn.find((one) => one.mayRepeat && one.key === key(line))
        : undefined
      if (before) before.mayRepeat = false
      this.#handedOn.push({ key: key(line) })
      this.#runs.at(-1)?.push({ key: key(line), mayRepeat: before !== undefined })
    }
  }

  /** The process has died. @param noted how many of the delivered entries were recorded. @returns how many were not */
  died(noted: number): number {
    const open = this.#handedOn.slice(noted).filter(({ mayRepeat }) => mayRepeat === undefined)
    for (const one of open) one.mayRepeat = true
    return open.length
  }

  get handedOn(): number {
    return this.#handedOn.length
  }

  gap(): void {
    this.gaps++
    this.#runs.push([])
  }

  get entries(): number {
    return this.#runs.reduce((sum, run) => sum + run.length, 0)
  }

  /** How many are marked as possibly repeated, and may be. */
  get repeated(): number {
    return this.#runs.flat().filter(({ mayRepeat }) => mayRepeat).length
  }

  /** @returns what is wrong, if anything */
  wrong(written: readonly LogEntry[]): string | undefined {
    const truth = written.map(key)
    let least = this.#from
    for (const [index, run] of this.#runs.entries()) {
      const starts = index === 0 ? [least] : truth.slice(least).map((_, at) => least + at)
      const ends = endsOf(truth, run, index === 0 ? starts : [...starts, truth.length])
      const isLast = index === this.#runs.length - 1
      const end = isLast ? ends.find((place) => place === truth.length) : ends[0]
      if (end === undefined)
        return `run ${index} of ${this.#runs.length} (${run.length} entries, the first ${run[0]?.key ?? ''}) does not follow on ${least} of ${truth.length}`
      least = end
    }
    return undefined
  }
}

/**
 * Possible ends of the run that begins at one of these positions, lowest first: entries that may repeat need not be
 * there.
 */
function endsOf(truth: readonly string[], run: readonly Item[], starts: readonly number[]): number[] {
  let places = starts
  for (const { key, mayRepeat } of run) {
    const behind = places.filter((place) => truth[place] === key).map((place) => place + 1)
    places = mayRepeat ? [...new Set([...places, ...behind])].sort((one, two) => one - two) : behind
  }
  return [...places]
}
