import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { settled } from '../../lib/kernel/scope'
import type { VirtualDeviceOptions } from '../options'
import type { Scenario } from '../scenario'
import type { SidePorts } from '../side-ports'
import { sentence, StartError, type StartErrorCode } from '../start-error'

type UnnumberedRequest = WorkerRequest extends infer R
  ? R extends WorkerRequest
    ? Omit<R, 'id'>
    : never
  : never

/** A device that runs in a thread of its own. */
export interface DeviceInWorker {
  /** Without the API's path: `http://127.0.0.1:8080`. */
  url: string
  port: number
  /** Its own page, for this machine; undefined if it listens on a network address alone. */
  page: string | undefined
  /** Ports beside the API. */
  ports: SidePorts
  /** @throws TypeError with a sentence on an unknown key or an invalid value; nothing is applied then */
  setScenario: (part: Partial<Scenario>) => Promise<Scenario>
  scenario: () => Promise<Scenario>
  /** Closes all connections at once; all state is then on the disk. */
  stop: () => Promise<void>
  /** Calls back when the thread ends, with its error unless it was stopped. */
  onExit: (callback: (error?: Error) => void) => void
}

/** Runs a virtual device in a thread of its own, so that neither slows the other. @throws StartError with a sentence */
export async function startInWorker(
  options: Omit<VirtualDeviceOptions, 'clock'> = {},
): Promise<DeviceInWorker> {
  const worker = new Worker(join(__dirname, 'worker.js'), { workerData: options })
  let crash: Error | undefined
  let exited = false
  let stopping = false
  const waiting = new Map<
    number,
    { resolve: (answer: WorkerAnswer) => void; reject: (error: Error) => void }
  >()
  worker.on('error', (error) => (crash = error))
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      exited = true
      const error = crash ?? new Error(sentence('worker.gone'))
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      resolve()
    })
  })

  // Not `once` of node:events: its promise settles some ticks later, and a thread that ends with its message would win.
  const message = new Promise<Started>((resolve) => worker.once('message', resolve))
  const started = await Promise.race([message, ended])
  if (!started) throw crash ?? new Error(sentence('worker.gone'))
  if ('failed' in started) {
    await worker.terminate()
    throw StartError.of(started.failed.code as StartErrorCode, started.failed.message)
  }
  worker.on('message', (answer: WorkerAnswer) => {
    waiting.get(answer.id)?.resolve(answer)
    waiting.delete(answer.id)
  })

  let lastId = 0
  const ask = async (asked: UnnumberedRequest): Promise<Scenario> => {
    const id = ++lastId
    const answer = await new Promise<WorkerAnswer>((resolve, reject) => {
      if (exited) throw new Error(sentence('worker.gone'))
      waiting.set(id, { resolve, reject })
      worker.postMessage({ ...asked, id })
    })
    if ('failed' in answer) throw new TypeError(answer.failed)
    return answer.scenario as Scenario
  }

  return {
    ...started.ready,
    scenario: () => ask({ ask: 'scenario' }),
    setScenario: (part) => ask({ ask: 'setScenario', part }),
    stop: async () => {
      if (!stopping) {
        stopping = true
        // A thread that has ended does not answer.
        await settled(ask({ ask: 'stop' }))
        await worker.terminate()
      }
      await ended
    },
    onExit: (callback) => {
      ended.then(() => callback(stopping ? undefined : crash), callback)
    },
  }
}

/** The first message from the thread of a device. */
export type Started =
  | { ready: { url: string; port: number; page: string | undefined; ports: SidePorts } }
  | { failed: { code: string; message: string } }

export type WorkerRequest = { id: number } & (
  | { ask: 'scenario' }
  | { ask: 'setScenario'; part: Partial<Scenario> }
  | { ask: 'stop' }
)

/** The answer to the request with that id; a stopped device has no scenario. */
export type WorkerAnswer = { id: number; scenario?: Scenario } | { id: number; failed: string }
