import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { request } from 'undici'
import { startInWorker } from '../virtual-device'
import { median, type BenchRow } from './row'
import type { BareAnswer } from './support/bare-fastify'
import { requestRate } from './support/request-rate'

const path = '/api/v2/pipelines/0/nodes/dev_camera/parameters/fps'
const rounds = 15
const seconds = 0.5

/** Requests per second for one parameter, beside a bare Fastify route with the same answer. Goal: 0.8. */
export async function run(): Promise<BenchRow[]> {
  const device = await startInWorker({ port: 0 })
  const bare = await bareRoute(await answerOf(device.url))
  try {
    const port = Number(new URL(device.url).port)
    const rates: { ours: number; bare: number }[] = []
    for (let round = -1; round < rounds; round++) {
      const rate = {
        ours: await requestRate(port, path, seconds),
        bare: await requestRate(bare.port, path, seconds),
      }
      // The first round warms up.
      if (round >= 0) rates.push(rate)
    }
    return [
      {
        what: 'one parameter of the virtual device',
        value: median(rates.map(({ ours }) => ours)),
        unit: 'requests/s',
        against: 'a bare Fastify route',
        ratio: median(rates.map((rate) => rate.ours / rate.bare)),
      },
      { what: 'a bare Fastify route', value: median(rates.map((rate) => rate.bare)), unit: 'requests/s' },
    ]
  } finally {
    await bare.worker.terminate()
    await device.stop()
  }
}

/** Without the headers of the connection. */
async function answerOf(url: string): Promise<BareAnswer> {
  const { headers, body } = await request(url + path)
  const own = Object.entries(headers).filter(
    ([name]) => !['date', 'connection', 'keep-alive', 'content-length'].includes(name),
  )
  return { path, body: await body.text(), headers: Object.fromEntries(own) as Record<string, string> }
}

async function bareRoute(answer: BareAnswer): Promise<{ worker: Worker; port: number }> {
  const worker = new Worker(join(__dirname, 'support', 'bare-fastify.js'), { workerData: answer })
  const [address] = (await once(worker, 'message')) as [AddressInfo]
  return { worker, port: address.port }
}
