import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options?: { type: 'minor' }) => void

/** Collects new objects only: those that were met before by two such collections stay. */
export const collectNew = (): void => collect({ type: 'minor' })

/** Memory of this process after garbage collection, bytes. */
export interface HeapUse {
  heap: number
  /** Buffers and other memory outside the heap. */
  external: number
}

/** Several times, because finalisers may release more. */
export async function heldAfterCollection(): Promise<HeapUse> {
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await nextTurn()
  }
  const { heapUsed: heap, external } = process.memoryUsage()
  return { heap, external }
}
