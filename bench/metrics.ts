import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile, median, type BenchRow } from './row'

const devices = 1000
const processes = 4
/** Milliseconds for the first health checks, and for the cost without scrapes. */
const settling = 15_000
const scrapes = 60
/** Seconds, as in the documentation. */
const interval = 10

/** A thousand devices in one Node-RED, scraped every ten seconds. */
export async function run(): Promise<BenchRow[]> {
  const fleet = Array.from({ length: processes }, () =>
    fork(join(__dirname, 'support', 'many-devices.js'), [String(devices / processes)]),
  )
  const child = fork(join(__dirname, 'support', 'metrics-node-red.js'))
  try {
    const urls = (await Promise.all(fleet.map((each) => nextMessage<string[]>(each)))).flat()
    child.send([{ id: 'tab', type: 'tab', label: 'bench' }, ...urls.flatMap(used)])
    const url = await nextMessage<string>(child)
    await sleep(settling)
    const idle = await costOf(child, () => sleep(settling))
    let text = ''
    const times: number[] = []
    const scraped = await costOf(child, async () => {
      for (let scrape = 0; scrape < scrapes; scrape++) {
        const began = performance.now()
        text = await (await fetch(url)).text()
        times.push(performance.now() - began)
      }
    })
    /** Milliseconds of CPU time. */
    const cpu = (scraped.cpu - (idle.cpu / idle.elapsed) * scraped.elapsed) / scrapes
    const pauses: number[] = []
    for (let scrape = 0; scrape < scrapes; scrape++) {
      await ask(child, 'watch')
      await (await fetch(url)).text()
      pauses.push(await ask(child, 'pause'))
    }
    const series = text.split('\n').filter((line) => line && !line.startsWith('#')).length
    return [
      { what: `series of ${devices} devices`, value: series, unit: '' },
      { what: 'text', value: text.length / 1024, unit: 'KiB' },
      { what: `CPU more, scraped every ${interval} s`, value: cpu / (10 * interval), unit: '% of a core' },
      { what: 'a scrape takes', value: median(times), unit: 'ms' },
      { what: 'longest pause of the event loop in a scrape, median', value: median(pauses), unit: 'ms' },
      { what: 'the same, 95 %', value: quantile(pauses, 0.95), unit: 'ms' },
    ]
  } finally {
    for (const each of fleet) each.disconnect()
    child.kill()
  }
}

/** A device, a node that uses it, and one that polls a status value. */
const used = (address: string, index: number) => [
  {
    ...{ id: `device${index}`, type: 'vision-device-config', name: `cell ${index}`, address },
    ...{ metricsValues: 'dev_camera.temp_left, dev_camera.temp_right', metricsInterval: 60 },
  },
  { id: `get${index}`, z: 'tab', type: 'vision-get-parameter', device: `device${index}`, wires: [[]] },
]

/** Milliseconds of CPU and elapsed time. */
async function costOf(child: ChildProcess, work: () => Promise<void>) {
  const [before, began] = [await ask(child, 'cost'), performance.now()]
  await work()
  return { cpu: (await ask(child, 'cost')) - before, elapsed: performance.now() - began }
}

async function ask(child: ChildProcess, question: string): Promise<number> {
  child.send(question)
  return nextMessage<number>(child)
}

async function nextMessage<What>(child: ChildProcess): Promise<What> {
  const [message] = (await once(child, 'message')) as [What]
  return message
}
