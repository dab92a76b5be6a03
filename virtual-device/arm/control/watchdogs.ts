export type WatchdogAction = 'pause' | 'stop' | 'ignore'

/** Input fields of which a program demands that they keep coming. */
export class Watchdogs {
  readonly #watched = new Map<string, { seconds: number; action: WatchdogAction; last: number }>()

  /** @param seconds longest time between two values; 0 ends the watch */
  watch(field: string, seconds: number, action: WatchdogAction, now: number): void {
    if (seconds > 0 && action !== 'ignore') this.#watched.set(field, { seconds, action, last: now })
    else this.#watched.delete(field)
  }

  /** A value has come. */
  came(fields: readonly string[], now: number): void {
    for (const field of fields) {
      const watched = this.#watched.get(field)
      if (watched) watched.last = now
    }
  }

  /** The time in which the program rested does not count. */
  rest(now: number): void {
    for (const watched of this.#watched.values()) watched.last = now
  }

  /** What is to be done because a value is late. */
  late(now: number): WatchdogAction | undefined {
    const late = [...this.#watched.values()].filter(({ seconds, last }) => now - last > seconds)
    return late.some(({ action }) => action === 'stop') ? 'stop' : late[0]?.action
  }

  clear(): void {
    this.#watched.clear()
  }
}
