/** Options for several devices, some at a time. */
export interface WaveOptions<Item, Result> {
  items: readonly Item[]
  /** Devices per wave. @default 1 */
  atOnce?: number
  /** Total failures at which no further wave begins. @default 1 */
  stopAfter?: number
  /** Called before each wave but the first; a wave that is not approved does not begin. @default approves all */
  approve?: (next: {
    wave: number
    items: readonly Item[]
    results: readonly WaveResult<Item, Result>[]
  }) => boolean | Promise<boolean>
  /** Works on one of them. An error counts as a failure of that device. */
  work: (item: Item) => Promise<Result>
  /** Whether a result of the work is a success. @default always */
  succeeded?: (result: Result) => boolean
}

export type WaveResult<Item, Result> = { item: Item; wave: number } & (
  | { state: 'done'; ok: boolean; result: Result }
  | { state: 'failed'; ok: false; error: unknown }
  | { state: 'skipped'; ok: false }
)

/**
 * Works on many items in waves: the next wave begins when all of the previous one are done, few enough have failed, and
 * it is approved. Never rejects for a failed item; items not begun are `skipped`.
 */
export async function inWaves<Item, Result>({
  items,
  atOnce = 1,
  stopAfter = 1,
  approve,
  work,
  succeeded = () => true,
}: WaveOptions<Item, Result>): Promise<WaveResult<Item, Result>[]> {
  const results: WaveResult<Item, Result>[] = []
  const one = async (item: Item, wave: number): Promise<WaveResult<Item, Result>> => {
    try {
      const result = await work(item)
      return { item, wave, state: 'done', ok: succeeded(result), result }
    } catch (error) {
      return { item, wave, state: 'failed', ok: false, error }
    }
  }

  const goesOn = async (wave: number, next: readonly Item[]) => {
    if (wave === 1) return true
    if (results.filter(({ ok }) => !ok).length >= stopAfter) return false
    return approve ? approve({ wave, items: next, results }) : true
  }

  let stopped = false
  for (let begin = 0, wave = 1; begin < items.length; begin += atOnce, wave++) {
    const next = items.slice(begin, begin + atOnce)
    stopped ||= !(await goesOn(wave, next))
    if (stopped)
      results.push(...next.map((item) => ({ item, wave, state: 'skipped' as const, ok: false as const })))
    else results.push(...(await Promise.all(next.map((item) => one(item, wave)))))
  }
  return results
}
