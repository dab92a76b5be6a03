import type { LineFiles } from '../../lib/files/line-files'

interface SimulatedFile {
  /** Lines without line ends. */
  lines: { text: string; handedOn: number }[]
  /** Number of flushed lines. */
  synced: number
}

/** What is left after the death of a program, and after a power failure of the computer. */
export type Death = 'kill' | 'power'

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
   * The files for one program.
   * @param isAlive false once the program has died: its writes then have no effect
   * @param mayDie called before and after each step
   */
  filesFor(isAlive: () => boolean, mayDie: () => void): LineFiles {
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
    const line = (name: string, text: string) => ({ text, handedOn: this.#handedOn(name) })
    return {
      folder: 'simulated',
      read: (name) =>
        Promise.resolve(
          this.#files
            .get(name)
            ?.lines.map(({ text }) => text)
            .join(''),
        ),
      replace: (name, text) =>
        later(() => this.#files.set(name, { lines: [line(name, `${text}\n`)], synced: 1 })),
      append: (name, text) => step(() => this.#files.get(name)?.lines.push(line(name, `${text}\n`))),
      sync: (name) =>
        later(() => {
          const file = this.#files.get(name)
          if (file) file.synced = file.lines.length
        }),
      spoil: (name) => {
        if (isAlive()) this.#files.delete(name)
      },
      close: () => Promise.resolve(),
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
