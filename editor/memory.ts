/** Milliseconds. An answer is cached for a while; a failure only for concurrent requests. */
const goodFor = { answer: 300_000, failure: 3000 }

interface MemoryEntry {
  answer: Promise<unknown>
  isFailure: boolean
  until: number
}

/** Cache of the devices' answers, by device and question. */
export class Memory {
  readonly #devices = new Map<string, Map<string, MemoryEntry>>()

  get(device: string, question: string, fresh: boolean, ask: () => Promise<unknown>): Promise<unknown> {
    const entries = this.#devices.get(device) ?? new Map<string, MemoryEntry>()
    this.#devices.set(device, entries)
    const known = entries.get(question)
    if (known && !fresh && Date.now() < known.until) return known.answer
    const entry = { answer: ask(), isFailure: false, until: Date.now() + goodFor.answer }
    entry.answer.catch(() => {
      entry.isFailure = true
      entry.until = Date.now() + goodFor.failure
    })
    entries.set(question, entry)
    return entry.answer
  }

  forget(device: string): void {
    this.#devices.delete(device)
  }

  forgetFailures(): void {
    for (const entries of this.#devices.values())
      for (const [question, { isFailure }] of entries) if (isFailure) entries.delete(question)
  }

  clear(): void {
    this.#devices.clear()
  }
}
