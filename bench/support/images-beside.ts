import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { createClient } from '../../lib'
import { quantile, type BenchRow } from '../row'
import { deviceProgram } from './device-program'
import { streamRates } from './stream-arrival'

const seconds = 10

/** REST and the streams of a virtual device, without and with a client of its images at 25 Hz. */
export async function besideRows(): Promise<BenchRow[]> {
  const without = await figures(false)
  const withImages = await figures(true)
  const row = (what: string, unit: string, index: 0 | 1 | 2): BenchRow => {
    const value = withImages[index]
    return { what, value, unit, against: 'without images', ratio: value / without[index] }
  }
  return [
    row('slowest of four streams at 200 Hz, beside images', 'Hz', 0),
    row('reading a parameter beside images, p50', 'ms', 1),
    row('reading a parameter beside images, p99', 'ms', 2),
    { what: 'sets of left, right and disparity meanwhile', value: withImages[3], unit: 'sets/s' },
  ]
}

/** Rate of the slowest stream, median and 99 % of the time for a parameter, and the rate of the images. */
async function figures(withImages: boolean): Promise<[number, number, number, number]> {
  const device = await deviceProgram()
  const client = createClient({ address: device.url })
  const place = { pipeline: '0', node: 'dev_camera', param: 'fps' }
  await client.setParameter({ ...place, value: 25 })
  await client.setParameter({ ...place, node: 'dev_stereomatching', param: 'quality', value: 'Low' })
  const reader = withImages
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
  const calling = calls()
  const rates = await streamRates(device.url, seconds)
  ended.abort()
  await calling
  await gone
  await client.close()
  await device.stop()
  const reading = withImages ? (JSON.parse(Buffer.concat(text).toString()) as { rate: number }) : { rate: 0 }
  return [Math.min(...rates), quantile(times, 0.5), quantile(times, 0.99), reading.rate]
}
