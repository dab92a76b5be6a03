import { WebSocket } from 'undici'

/** After garbage collection, mebibytes. */
export interface ProcessSizes {
  /** Of the main thread. */
  heap: number
  /** Main thread, outside the heap. */
  external: number
  /** With worker threads. */
  resident: number
}

/** Of a process with `--inspect=127.0.0.1:0`. */
export interface Inspector {
  sizes: () => Promise<ProcessSizes>
  close: () => void
}

/** @param output contains the inspector's address */
export async function inspectorOf(output: string): Promise<Inspector> {
  const address = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (!address) throw new Error(`no inspector:\n${output}`)
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  const call = (method: string, params: object = {}) =>
    new Promise<unknown>((resolve) => {
      const id = ++last
      waiting.set(id, (result) => {
        waiting.delete(id)
        resolve(result)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  return {
    sizes: async () => {
      await call('HeapProfiler.collectGarbage')
      const expression = 'JSON.stringify(process.memoryUsage())'
      const { result } = (await call('Runtime.evaluate', { expression })) as { result: { value: string } }
      const usage = JSON.parse(result.value) as NodeJS.MemoryUsage
      const mebibytes = (bytes: number) => Math.round((bytes / 2 ** 20) * 10) / 10
      return {
        heap: mebibytes(usage.heapUsed),
        external: mebibytes(usage.external),
        resident: mebibytes(usage.rss),
      }
    },
    close: () => socket.close(),
  }
}
