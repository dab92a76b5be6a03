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
  resolve: () => void
  reject: (error: unknown) => void
}

/** A handshake waits for its PLC: more changes than these never wait for a PLC that answers. */
const mostWaiting = 64

export function wordWriter(client: ModbusClient): WordWriter {
  const known = new Map<string, number>()
  const waiting: WaitingWrite[] = []
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
    isWriting = true
    for (let next = waiting.shift(); next; next = waiting.shift())
      await send(next.words).then(next.resolve, next.reject)
    isWriting = false
  }

  return {
    write: (words) =>
      new Promise((resolve, reject) => {
        if (waiting.length === mostWaiting)
          throw modbusError({ code: 'BUSY', key: 'modbus-writes', values: { limit: mostWaiting } })
        waiting.push({ words, resolve, reject })
        if (!isWriting) void proceed()
      }),
    known: (area, address) => known.get(keyOf(area, address)),
    forget: () => known.clear(),
  }
}

const keyOf = (area: SharedArea, address: number) => `${area} ${address}`
