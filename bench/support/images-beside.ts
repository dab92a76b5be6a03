import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { createClient } from '../../lib'
import { quantile, type BenchRow } from '../row'
import { deviceProgram } from './device-program'
import { streamRates } from './stream-arrival'

const seconds = 10

/** `images`: a client at 25 Hz; `page`: two browsers with the device's page. */
type Beside = 'nobody' | 'images' | 'page'

/** REST and streams of a virtual device, alone, beside a client of its images, and with its page open. */
export async function besideRows(): Promise<BenchRow[]> {
  const without = await figures('nobody')
  const withImages = await figures('images')
  const withPage = await figures('page')
  const row = (what: string, unit: string, index: 0 | 1 | 2, beside = withImages): BenchRow => {
    const value = beside[index]
    return { what, value, unit, against: 'with neither', ratio: value / without[index] }
  }
  return [
    row('slowest of four streams at 200 Hz, beside images', 'Hz', 0),
    row('reading a parameter beside images, p50', 'ms', 1),
    row('reading a parameter beside images, p99', 'ms', 2),
    { what: 'sets of left, right and disparity meanwhile', value: withImages[3], unit: 'sets/s' },
    row("slowest of four streams at 200 Hz, beside the device's page", 'Hz', 0, withPage),
    row("reading a parameter beside the device's page, p50", 'ms', 1, withPage),
    row("reading a parameter beside the device's page, p99", 'ms', 2, withPage),
    { what: 'pictures of the page meanwhile', value: withPage[3], unit: 'pictures/s' },
  ]
}

/** Slowest stream, median and 99 % of a parameter read, picture rate. */
async function figures(beside: Beside): Promise<[number, number, number, number]> {
  const device = await deviceProgram()
  const client = createClient({ address: device.url })
  const place = { pipeline: '0', node: 'dev_camera', param: 'fps' }
  await client.setParameter({ ...place, value: 25 })
  await client.setParameter({ ...place, node: 'dev_stereomatching', param: 'quality', value: 'Low' })
  const reader =
    beside === 'images'
      ? spawn(
          process.execPath,
          [join(__dirname, 'image-reader.js'), 'parts', String(device.imagePort), String(seconds)],
          {
            stdio: ['ignore', 'pipe', 'inherit'],
          },
        )
      : undefined
  const text: Buffer[] = []
  reader?.stdout.on('data', (chunk: Buffer) => text.push(chunk))
  const gone = reader && once(reader, 'close')
  const times: number[] = []
  const ended = new AbortController()
  const calls = async () => {
    while (!ended.signal.aborted) {
      const began = performance.now()
      await client.getParameter(place)
      times.push(performance.now() - began)
      await sleep(10)
    }
  }
  let pictures = 0
  /** Requests of an open page, twice a second. */
  const poll = async (part: string) => {
    while (!ended.signal.aborted) {
      await (await fetch(`${device.url}/virtual/now`)).text()
      await (await fetch(`${device.url}/virtual/picture?part=${part}`)).arrayBuffer()
      pictures += 1
      await sleep(500)
    }
  }
  const looking = beside === 'page' ? [poll('left'), poll('depth')] : []
  const calling = calls()
  const rates = await streamRates(device.url, seconds)
  ended.abort()
  await Promise.all([calling, ...looking])
  await gone
  await client.close()
  await device.stop()
  const reading = reader ? (JSON.parse(Buffer.concat(text).toString()) as { rate: number }) : undefined
  const rate = reading?.rate ?? pictures / seconds
  return [Math.min(...rates), quantile(times, 0.5), quantile(times, 0.99), rate]
}
