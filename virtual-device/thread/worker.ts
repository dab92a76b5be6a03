import { parentPort, workerData } from 'node:worker_threads'
import type { VirtualDeviceOptions } from '../options'
import { startVirtualDevice, type VirtualDevice } from '../start'
import { StartError } from '../start-error'
import type { Started, WorkerAnswer, WorkerRequest } from './start-in-worker'
import { crash, untilCompiled } from './ending'

const port = parentPort
if (!port) throw new Error('This file runs as a worker thread only.')
const send = (message: Started | WorkerAnswer) => port.postMessage(message)

startVirtualDevice(workerData as VirtualDeviceOptions).then(
  (device) => {
    port.on('message', (request: WorkerRequest) => {
      answer(device, request).then(send, crash)
    })
    const { url, port: at, page, ports } = device
    send({ ready: { url, port: at, page, ports } })
  },
  (error: unknown) => {
    const { message } = error as Error
    send({ failed: { code: error instanceof StartError ? error.code : 'INVALID_OPTION', message } })
  },
)

async function answer(device: VirtualDevice, request: WorkerRequest): Promise<WorkerAnswer> {
  const { id } = request
  try {
    if (request.ask === 'stop') {
      await device.stop()
      await untilCompiled()
      port?.close()
      return { id }
    }
    if (request.ask === 'setScenario') device.setScenario(request.part)
    return { id, scenario: device.scenario() }
  } catch (error) {
    return { id, failed: (error as Error).message }
  }
}
