import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Node-RED with a cell, in a process. */
export interface CellProcess {
  /** CPU seconds so far. */
  cpu: () => Promise<number>
  stop: () => Promise<void>
}

/** @param environment variables of the flow */
export async function cellProcess(
  flow: readonly object[],
  environment: Record<string, string> = {},
): Promise<CellProcess> {
  const child = fork(join(__dirname, 'cell-node-red.js'), [], {
    env: { ...process.env, ...environment },
    // Output of other packages is irrelevant.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ask = async (message: object) => {
    child.send(message)
    const [answer] = (await once(child, 'message')) as [unknown]
    return answer
  }
  await ask(flow)
  return {
    cpu: async () => Number(await ask([])),
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
