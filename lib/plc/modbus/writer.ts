import type { CellWord, SharedArea } from '../words'
import type { ModbusClient } from './client'
import { modbusError } from './modbus-error'
import { planWrites } from './plan-writes'

/** Keeps the PLC's copy of the cell's words as they should be. */
export interface WordWriter {
  /**
   * Writes what is not at the PLC already, results before state. Each write ends before the next begins: flags that are
   * taken back first must not come together with the results after them.
   * @returns when these words are at the PLC
   * @throws PlcError of the first request that failed; `BUSY` where too many writes wait
   */
  write: (words: readonly CellWord[]) => Promise<void>
  /** The value that the PLC has confirmed; missing where that is unknown. */
  known: (area: SharedArea, address: number) => number | undefined
  /** Everything is written again the next time: the PLC's memory may be another. */
  forget: () => void
}

interface WaitingWrite {
  words: readonly CellWord[]
  /** Those who wait for it; several where a newer one has replaced an older one. */
  ended: { resolve: () => void; reject: (error: unknown) => void }[]
}

/** A handshake waits for its PLC: more changes than these never wait for a PLC that answers. */
const mostWaiting = 64

export function wordWriter(client: ModbusClient): WordWriter {
  const known = new Map<string, number>()
  const waiting: WaitingWrite[] = []
  let isWriting = false
  let sending: readonly CellWord[] | undefined

  async function send(words: readonly CellWord[]): Promise<void> {
    const isChanged = ({ area, address, value }: CellWord) => known.get(keyOf(area, address)) !== value
    for (const request of planWrites(words, isChanged)) {
      const isUrgent = words.some(
        (word) =>
          word.group !== 'life' &&
          word.area === request.area &&
          word.address >= request.address &&
          word.address < request.address + request.values.length &&
          isChanged(word),
      )
      const keys = request.values.map((_, index) => keyOf(request.area, request.address + index))
      // Until it is confirmed nobody knows what stands there.
      for (const key of keys) known.delete(key)
      await client.request(request, { isUrgent })
      keys.forEach((key, index) => known.set(key, request.values[index] ?? 0))
    }
  }

  async function proceed(): Promise<void> {
    isWriting = true
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { words, ended } = next
      sending = words
      await send(words).then(
        () => ended.forEach(({ resolve }) => resolve()),
        (error: unknown) => ended.forEach(({ reject }) => reject(error)),
      )
    }
    sending = undefined
    isWriting = false
  }

  return {
    write: (words) =>
      new Promise((resolve, reject) => {
        const last = waiting.at(-1)
        const before = waiting.at(-2)?.words ?? sending
        // Beats do not queue up behind a PLC that answers slowly, and no change waits for one: it gets the newest.
        if (last && (isOnlyLife(last.words, words) || (before && isOnlyLife(before, last.words)))) {
          last.words = words
          last.ended.push({ resolve, reject })
          return
        }
        if (waiting.length === mostWaiting)
          throw modbusError({ code: 'BUSY', key: 'modbus-writes', values: { limit: mostWaiting } })
        waiting.push({ words, ended: [{ resolve, reject }] })
        if (!isWriting) void proceed()
      }),
    known: (area, address) => known.get(keyOf(area, address)),
    forget: () => known.clear(),
  }
}

const keyOf = (area: SharedArea, address: number) => `${area} ${address}`

/** Whether the second differs from the first by its life signal alone, or not at all. */
const isOnlyLife = (one: readonly CellWord[], other: readonly CellWord[]): boolean =>
  one.length === other.length &&
  other.every((word, index) => {
    const before = one[index]
    return (
      before?.area === word.area &&
      before.address === word.address &&
      (word.group === 'life' || before.value === word.value)
    )
  })
