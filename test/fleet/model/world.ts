import { seededRandom } from '../../../virtual-device/values'

interface Event {
  at: number
  work: () => void
}

/** Time and chance of a simulated fleet: milliseconds from 0, the same for the same seed. */
export class World {
  now = 0
  readonly random: () => number
  readonly #queue: Event[] = []

  /** @param stormy milliseconds of faults; afterwards everything must come to its end */
  constructor(
    seed: number,
    readonly stormy: number,
  ) {
    this.random = seededRandom(seed)
  }

  get isStormy(): boolean {
    return this.now < this.stormy
  }

  within(most: number): number {
    return this.random() * most
  }

  chance(share: number): boolean {
    return this.random() < share
  }

  /** @returns takes it back */
  later(work: () => void, milliseconds: number): () => void {
    const event = { at: this.now + milliseconds, work }
    let [low, high] = [0, this.#queue.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#queue[middle]?.at ?? 0) <= event.at) low = middle + 1
      else high = middle
    }
    this.#queue.splice(low, 0, event)
    return () => {
      event.work = () => undefined
    }
  }

  /** Lets time pass until this is over, at most so many milliseconds. @returns whether it is over */
  async runUntil(isOver: () => boolean, most: number): Promise<boolean> {
    for (let next = this.#queue.shift(); next && next.at < most; next = this.#queue.shift()) {
      this.now = next.at
      next.work()
      await new Promise(setImmediate)
      if (isOver()) return true
    }
    return isOver()
  }
}
