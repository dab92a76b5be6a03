import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

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
