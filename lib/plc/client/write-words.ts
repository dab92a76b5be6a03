/** Keeps the cell's words at the PLC as they should be. */
import type { CellWord, SharedArea } from '../rows'
import { PlcError } from '../plc-error'
import type { PlcClient } from './client'
import { linkError } from './failures'
import { planWrites } from './plans'
import type { PlcProtocol, WriteRequest } from './protocol'

export interface WordWriter {
  /**
   * Writes what is not at the PLC already, results before state. Each write ends before the next begins: flags that are
   * taken back first must not come together with the results after them.
   * @returns when these words are at the PLC
   * @throws PlcError of the first request that failed; `BUSY` where too many writes wait
   */
  write: (words: readonly CellWord[]) => Promise<void>
  /** The value that the PLC has confirmed; missing where that is unknown. */
  known: (area: string, address: number) => number | undefined
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

export function wordWriter<Own>(client: PlcClient<Own>, protocol: PlcProtocol<Own>): WordWriter {
  const known = new Map<string, number>()
  const waiting: WaitingWrite[] = []
  let sending: readonly CellWord[] | undefined

  async function send(words: readonly CellWord[]): Promise<void> {
    const tried = new Set<SharedArea>()
    for (;;) {
      const refused = await sendAll(words)
      if (!refused) return
      const { request, error } = refused
      if (tried.has(request.area) || !protocol.adaptsTo?.(error, request)) throw error
      tried.add(request.area)
    }
  }

  /** @returns the request that the PLC refused, perhaps because it must be written in another manner */
  async function sendAll(
    words: readonly CellWord[],
  ): Promise<{ request: WriteRequest; error: PlcError } | undefined> {
    const isChanged = ({ area, address, value }: CellWord) => known.get(keyOf(area, address)) !== value
    for (const request of planWrites(words, protocol.most.write, isChanged)) {
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
      try {
        await client.request(request, { isUrgent })
      } catch (error) {
        if (error instanceof PlcError && error.code === 'REFUSED') return { request, error }
        throw error
      }
      keys.forEach((key, index) => known.set(key, request.values[index] ?? 0))
    }
    return undefined
  }

  function proceed(): void {
    const { words, ended = [] } = waiting.shift() ?? {}
    sending = words
    if (!words) return
    send(words)
      .then(
        () => ended.forEach(({ resolve }) => resolve()),
        (error: unknown) => ended.forEach(({ reject }) => reject(error)),
      )
      .then(proceed, proceed)
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
          throw linkError({ code: 'BUSY', key: 'plc-writes', values: { limit: mostWaiting } })
        waiting.push({ words, ended: [{ resolve, reject }] })
        if (!sending) proceed()
      }),
    known: (area, address) => known.get(keyOf(area, address)),
    forget: () => known.clear(),
  }
}

const keyOf = (area: string, address: number) => `${area} ${address}`

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
