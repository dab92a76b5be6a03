import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What this process holds after everything that nobody holds has been collected, bytes. */
export interface HeapUse {
  heap: number
  /** Buffers and what else lies outside the heap. */
  external: number
}

/** Several times, because what is finalised may let go of more. */
export async function heldAfterCollection(): Promise<HeapUse> {
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await nextTurn()
  }
  const { heapUsed: heap, external } = process.memoryUsage()
  return { heap, external }
}
