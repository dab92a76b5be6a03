import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { images } from '../../lib'
import { keepFreedMemory } from '../../lib/images/freed-memory'
import { median, type BenchRow } from '../row'

const rounds = 31
const [width, height] = [1280, 960]

/** A picture of a camera: soft light, and noise of some grey levels. */
function picture(): images.Pixels {
  const data = Buffer.alloc(width * height)
  let seed = 1
  for (let pixel = 0; pixel < data.length; pixel++) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    data[pixel] = 120 + 60 * Math.sin((pixel % width) / 200) + (seed >>> 29)
  }
  return { width, height, encoding: 'mono8', data }
}

/** The time for a PNG of 1.3 megapixels, and how long the event loop stands still for it: in any program, and as in a flow. */
export async function pictureRows(): Promise<BenchRow[]> {
  const inProgram = await pngRows(`PNG of ${width} x ${height}`)
  keepFreedMemory()
  return [...inProgram, ...(await pngRows(`PNG of ${width} x ${height}, freed memory kept`))]
}

async function pngRows(what: string): Promise<BenchRow[]> {
  const pixels = picture()
  for (let round = 0; round < 5; round++) await images.pngOf(pixels)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const times: number[] = []
  delay.enable()
  for (let round = 0; round < rounds; round++) {
    await sleep(10)
    const began = performance.now()
    await images.pngOf(pixels)
    times.push(performance.now() - began)
  }
  delay.disable()
  const idle = monitorEventLoopDelay({ resolution: 1 })
  idle.enable()
  await sleep(rounds * (10 + median(times)))
  idle.disable()
  const held = (of: typeof delay, share: number) => of.percentile(share) / 1e6 - 1
  return [
    { what, value: median(times), unit: 'ms' },
    { what: `${what}, event loop held, 99 %`, value: held(delay, 99), unit: 'ms' },
    { what: `${what}, event loop held at most`, value: held(delay, 100), unit: 'ms' },
    { what: `${what}, the same time without work, event loop held, 99 %`, value: held(idle, 99), unit: 'ms' },
    {
      what: `${what}, the same time without work, event loop held at most`,
      value: held(idle, 100),
      unit: 'ms',
    },
  ]
}
