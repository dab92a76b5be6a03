import type { LogEntry } from '../../lib/contract'
import type { logs } from '../../lib'

const key = ({ timestamp, level, component, message }: LogEntry) =>
  `${timestamp} ${level} ${component} ${message}`

/** What came of one log, and whether that can be: in order, nothing twice, nothing missing but at gaps. */
export class Account {
  /** Entries between gaps. */
  readonly #runs: string[][] = [[]]
  /** What was handed on when the process died, and can come again. */
  #mayRepeat: string[] = []
  readonly #from: number
  gaps = 0

  /** @param from entries that the log held at the start, which are not to come */
  constructor(from: number) {
    this.#from = from
  }

  take(lines: readonly logs.LogLine[]): void {
    for (const line of lines) {
      const at = line.repeated ? this.#mayRepeat.indexOf(key(line)) : -1
      if (at < 0) this.#runs.at(-1)?.push(key(line))
      else this.#mayRepeat.splice(at, 1)
    }
  }

  /** The process dies after these were handed on. */
  diedAfter(lines: readonly logs.LogLine[]): void {
    this.take(lines)
    this.#mayRepeat = lines.map(key)
  }

  gap(): void {
    this.gaps++
    this.#runs.push([])
  }

  get entries(): number {
    return this.#runs.reduce((sum, run) => sum + run.length, 0)
  }

  /** @returns what is wrong, or nothing */
  wrong(written: readonly LogEntry[]): string | undefined {
    const truth = written.map(key)
    let place = this.#from
    for (const [index, run] of this.#runs.entries()) {
      const isLast = index === this.#runs.length - 1
      const least = place
      if (isLast) place = truth.length - run.length
      else if (index > 0) place = firstPlace(truth, run, least)
      const differs = run.findIndex((entry, at) => truth[place + at] !== entry)
      if (place < least || differs >= 0 || (index === 0 && place !== this.#from))
        return `run ${index} of ${this.#runs.length} (${run.length} entries) does not follow on ${least} of ${truth.length}: at ${place}, entry ${differs}`
      place += run.length
    }
    return undefined
  }
}

/** The first place from `least` on where the run stands as a whole; beyond the end where it does not. */
function firstPlace(truth: readonly string[], run: readonly string[], least: number): number {
  let place = least
  while (place + run.length <= truth.length && run.some((entry, at) => truth[place + at] !== entry)) place++
  return place
}
