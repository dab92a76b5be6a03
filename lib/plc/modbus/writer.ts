import type { CellWord, SharedArea } from '../words'
import type { ModbusClient } from './client'
import { planWrites } from './plan-writes'

/** Keeps the PLC's copy of the cell's words as they should be. */
export interface WordWriter {
  /**
   * Writes what is not at the PLC already, results before state. Of several that wait the last counts: each says
   * everything.
   * @returns when these words, or later ones, are at the PLC @throws PlcError of the first request that failed
   */
  write: (words: readonly CellWord[]) => Promise<void>
  /** The value that the PLC has confirmed; missing where that is unknown. */
  known: (area: SharedArea, address: number) => number | undefined
  /** Everything is written again the next time: the PLC's memory may be another. */
  forget: () => void
}

interface WaitingWrite {
  words: readonly CellWord[]
  waiting: { resolve: () => void; reject: (error: unknown) => void }[]
}

export function wordWriter(client: ModbusClient): WordWriter {
  const known = new Map<string, number>()
  let next: WaitingWrite | undefined
  let isWriting = false

  async function send(words: readonly CellWord[]): Promise<void> {
    const isChanged = ({ area, address, value }: CellWord) => known.get(keyOf(area, address)) !== value
    for (const request of planWrites(words, isChanged)) {
      const keys = request.values.map((_, index) => keyOf(request.area, request.address + index))
      // Until it is confirmed nobody knows what stands there.
      for (const key of keys) known.delete(key)
      await client.request(request)
      keys.forEach((key, index) => known.set(key, request.values[index] ?? 0))
    }
  }

  async function proceed(): Promise<void> {
    for (let now = next; now; now = next) {
      next = undefined
      try {
        await send(now.words)
        for (const { resolve } of now.waiting) resolve()
      } catch (error) {
        for (const { reject } of now.waiting) reject(error)
      }
    }
    isWriting = false
  }

  return {
    write: (words) =>
      new Promise((resolve, reject) => {
        next = { words, waiting: [...(next?.waiting ?? []), { resolve, reject }] }
        if (isWriting) return
        isWriting = true
        void proceed()
      }),
    known: (area, address) => known.get(keyOf(area, address)),
    forget: () => known.clear(),
  }
}

const keyOf = (area: SharedArea, address: number) => `${area} ${address}`
