import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newBroker } from '../test/support/mosquitto'
import type { BenchRow } from './row'
import type { CellsCost } from './support/fleet-cells'
import type { CentreCost, CentreQuestion, RolloutFigures } from './support/fleet-centre'

const cells = 1000
const devicesOfCell = 10
const devices = cells * devicesOfCell
const processes = 4
/** Of changing devices. */
const seconds = 20

/** As in `docs/fleet.md`. */
const configuration = 'allow_anonymous true\nmax_queued_messages 100000\nmax_inflight_messages 1000\n'

/** A thousand simulated cells with our agent, Mosquitto, and a centre in Node-RED. */
export async function run(): Promise<BenchRow[]> {
  const mosquitto = await newBroker(configuration, { persistent: false })
  await mosquitto.start()
  const children: ChildProcess[] = []
  const start = async (script: string, ...args: (string | number)[]) => {
    const child = fork(join(__dirname, 'support', script), [mosquitto.port, ...args].map(String))
    children.push(child)
    await nextMessage(child)
    return child
  }
  try {
    const plants = await Promise.all(
      Array.from({ length: processes }, (_, index) =>
        start('fleet-cells.js', `plant-${index}`, cells / processes, devicesOfCell),
      ),
    )
    const began = performance.now()
    const centre = await start('fleet-centre.js')
    const empty = await request<CentreCost>(centre, 'cost')
    const known = await request<number>(centre, { known: devices })
    const all = (performance.now() - began) / 1000
    await sleep(3000)

    for (const plant of plants) plant.send('change')
    await sleep(2000)
    const changing = await shares(centre, mosquitto.pid(), async () => {
      await sleep(1000 * seconds)
    })
    for (const plant of plants) plant.send('still')
    await sleep(2000)
    const full = await request<CentreCost>(centre, 'cost')

    const rollout = await request<RolloutFigures>(centre, {
      rollout: {
        do: 'set-parameters',
        args: { parameters: { dev_camera: { fps: 10 } } },
        where: {},
        ...{ canary: 0, wave: '10 %', approval: 'none', stopAfter: devices },
      },
    })
    const costs = await Promise.all(plants.map((plant) => request<CellsCost>(plant, 'cost')))
    const sum = (what: keyof CellsCost) => costs.reduce((total, cost) => total + cost[what], 0)
    return [
      {
        what: `${devices} devices of ${cells} cells known, from the start of the flows`,
        value: known,
        unit: 's',
      },
      { what: 'the same, from the start of Node-RED', value: all, unit: 's' },
      {
        what: 'states that arrive, each device changes every 10 s',
        value: changing.states,
        unit: 'a second',
      },
      { what: 'CPU of the centre meanwhile', value: changing.centre, unit: '% of a core' },
      { what: 'CPU of the broker meanwhile', value: changing.broker, unit: '% of a core' },
      { what: `parameters to ${devices} devices in waves of 10 %`, value: rollout.seconds, unit: 's' },
      { what: 'devices done', value: rollout.done, unit: '' },
      { what: 'commands executed twice', value: sum('twice'), unit: '' },
      {
        what: 'memory of the centre for a device',
        value: (full.memory - empty.memory) / devices / 1024,
        unit: 'KiB',
      },
      { what: 'memory of the centre, all', value: full.memory / 1024 ** 2, unit: 'MiB' },
      { what: 'memory of a simulated cell', value: sum('memory') / cells / 1024, unit: 'KiB' },
    ]
  } finally {
    for (const child of children) child.disconnect()
    await mosquitto.stop()
  }
}

/** CPU share of centre and broker during the work, per cent of a core. */
async function shares(centre: ChildProcess, pid: number | undefined, work: () => Promise<void>) {
  const [before, ticks, began] = [await request<CentreCost>(centre, 'cost'), ticksOf(pid), performance.now()]
  await work()
  const [after, elapsed] = [await request<CentreCost>(centre, 'cost'), performance.now() - began]
  return {
    states: (1000 * (after.states - before.states)) / elapsed,
    centre: (after.cpu - before.cpu) / 10 / elapsed,
    broker: (1000 * (ticksOf(pid) - ticks)) / elapsed,
  }
}

/** CPU time, hundredths of a second. */
function ticksOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function request<Answer>(child: ChildProcess, question: CentreQuestion): Promise<Answer> {
  child.send(question)
  return nextMessage<Answer>(child)
}

async function nextMessage<What>(child: ChildProcess): Promise<What> {
  const [message] = (await once(child, 'message')) as [What]
  return message
}
