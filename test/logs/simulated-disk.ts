import { basename } from 'node:path'
import type { OpenPosition } from '../../lib/logs/positions'
import { Value } from '../../lib/typebox'

interface SimulatedFile {
  /** Lines without line ends. */
  lines: { text: string; handedOn: number }[]
  /** Number of flushed lines. */
  synced: number
}

/** What is left after the death of a program, and after a power failure of the computer. */
export type Death = 'kill' | 'power'

/** Lines after which a log is written anew: few, so that this happens at every point of a read. */
const mostLines = 20

/**
 * A disk with files of lines that outlives the programs using it.
 * @param handedOn how many entries of the file's log have been delivered so far
 */
export class SimulatedDisk {
  readonly #files = new Map<string, SimulatedFile>()
  readonly #handedOn: (file: string) => number
  boot = 1

  constructor(handedOn: (file: string) => number) {
    this.#handedOn = handedOn
  }

  /**
   * Opens the logs of one program, as the kernel does: with its state in place of the lines that were there, and again when there
   * are many.
   * @param isAlive false once the program has died: its writes then have no effect
   * @param mayDie called before and after each step
   */
  logsFor(isAlive: () => boolean, mayDie: () => void): OpenPosition {
    const step = (work: () => void) => {
      if (isAlive()) mayDie()
      if (!isAlive()) throw new Error('dead')
      work()
      mayDie()
      if (!isAlive()) throw new Error('dead')
    }
    const later = (work: () => void) =>
      new Promise<void>((resolve) => {
        step(work)
        resolve()
      })
    return async ({ file: path, entry, snapshot, begin, fold, snapshotOf }) => {
      const name = basename(path)
      let state = begin(undefined)
      for (const { text } of this.#files.get(name)?.lines ?? []) {
        // A torn line says nothing.
        if (!text.endsWith('\n')) continue
        const line: unknown = JSON.parse(text)
        if (Value.Check(snapshot, line)) state = begin(line)
        else state = fold(state, Value.Decode(entry, line))
      }
      const lineOf = (value: unknown) => ({
        text: `${JSON.stringify(value)}\n`,
        handedOn: this.#handedOn(name),
      })
      const rewrite = () => this.#files.set(name, { lines: [lineOf(snapshotOf(state))], synced: 1 })
      await later(rewrite)
      return {
        get state() {
          return state
        },
        append: (...entries) => {
          for (const one of entries) {
            state = fold(state, one)
            step(() => this.#files.get(name)?.lines.push(lineOf(one)))
          }
          if ((this.#files.get(name)?.lines.length ?? 0) > mostLines) step(rewrite)
        },
        flush: () =>
          later(() => {
            const file = this.#files.get(name)
            if (file) file.synced = file.lines.length
          }),
        close: () => Promise.resolve(),
      }
    }
  }

  /**
   * A power failure may lose unflushed lines from some line on, and replace the rest by garbage.
   * @returns for each file, how many entries had been delivered when its last remaining line was written
   */
  died(how: Death, random: () => number): Map<string, number> {
    if (how === 'power') this.boot++
    const left = new Map<string, number>()
    for (const [name, file] of this.#files) {
      if (how === 'power') {
        const kept = file.synced + Math.floor(random() * (file.lines.length - file.synced + 1))
        const [torn] = file.lines.splice(kept)
        left.set(name, file.lines.at(-1)?.handedOn ?? 0)
        if (torn && random() < 0.5)
          file.lines.push({
            text: random() < 0.5 ? torn.text.slice(0, torn.text.length >> 1) : '\0'.repeat(40),
            handedOn: torn.handedOn,
          })
      } else left.set(name, file.lines.at(-1)?.handedOn ?? 0)
    }
    return left
  }
}
