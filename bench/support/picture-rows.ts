import { setTimeout as sleep } from 'node:timers/promises'
import { images } from '../../lib'
import { keepFreedMemory } from '../../lib/images/message-reader'
import { median, type BenchRow } from '../row'
import { watchLoop } from './loop-watch'

const rounds = 31
const [width, height] = [1280, 960]

/** Soft light, and noise of some grey levels. */
function picture(): images.Pixels {
  const data = Buffer.alloc(width * height)
  let seed = 1
  for (let pixel = 0; pixel < data.length; pixel++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    data[pixel] = 120 + 60 * Math.sin((pixel % width) / 200) + (seed >>> 29)
  }
  return { width, height, encoding: 'mono8', data }
}

/** Encoding a PNG of 1.3 megapixels, and the pause of the event loop; in any program, and as in a flow. */
export async function pictureRows(): Promise<BenchRow[]> {
  const inProgram = await pngRows(`PNG of ${width} x ${height}`)
  keepFreedMemory()
  return [...inProgram, ...(await pngRows(`PNG of ${width} x ${height}, freed memory kept`))]
}

async function pngRows(what: string): Promise<BenchRow[]> {
  const pixels = picture()
  for (let round = 0; round < 5; round++) await images.pngOf(pixels)
  const times: number[] = []
  const loop = watchLoop()
  for (let round = 0; round < rounds; round++) {
    await sleep(10)
    const began = performance.now()
    await images.pngOf(pixels)
    times.push(performance.now() - began)
  }
  const working = loop()
  const without = watchLoop()
  await sleep(rounds * (10 + median(times)))
  const idle = without()
  const row = (name: string, value: number): BenchRow => ({ what: `${what}${name}`, value, unit: 'ms' })
  return [
    row('', median(times)),
    row(', event loop stands still', working.blocked),
    row(', event loop stands still, 99 %', working.mostly),
    row(', event loop held by the work itself', working.held),
    row(', the same time without work, event loop stands still', idle.blocked),
  ]
}
