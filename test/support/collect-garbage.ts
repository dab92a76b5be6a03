import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

/** Minor collection: objects that survived two of them stay. */
export const collectNew = (): void => collect({ type: 'minor' })

/** After garbage collection, bytes. */
export interface HeapUse {
  heap: number
  /** Outside the heap. */
  external: number
}

/** Repeated, because finalisers may release more. */
export async function heldAfterCollection(): Promise<HeapUse> {
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await nextTurn()
  }
  const { heapUsed: heap, external } = process.memoryUsage()
  return { heap, external }
}
