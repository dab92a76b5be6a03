// node fleet-cells.js PORT PLANT CELLS DEVICES: many cells in one process. Reports when all states are at the broker; between
// `change` and `still` a device of each cell keeps changing.
import { MqttCell } from './mqtt-cell'

const [port = 0, , count = 0, devices = 0] = process.argv.slice(2).map(Number)
const plant = process.argv[3] ?? ''
/** Between changes of a device. */
const between = 10

export interface CellsCost {
  cpu: number
  memory: number
  executed: number
  twice: number
}

async function main() {
  const cells = Array.from(
    { length: count },
    (_, index) =>
      new MqttCell({
        ...{ root: 'vision', plant, cell: `cell-${index}`, port, every: 60 },
        devices: Array.from({ length: devices }, (__, device) => `camera-${device}`),
      }),
  )
  await Promise.all(cells.map((cell) => cell.start()))

  const timers: NodeJS.Timeout[] = []
  const change = () => {
    // In turn within a cell, the cells at different times.
    for (const [index, cell] of cells.entries()) {
      let turn = 0
      const one = () => {
        const device = cell.devices[turn++ % devices]
        if (device) device.temperature = 40 + (turn % 50) / 10
        cell.publish()
      }
      const gap = (1000 * between) / devices
      const first = setTimeout(() => timers.push(setInterval(one, gap)), (gap * index) / count)
      timers.push(first)
    }
  }
  process.on('message', (order) => {
    if (order === 'change') change()
    else if (order === 'still') for (const timer of timers.splice(0)) clearTimeout(timer)
    else {
      const executed = cells.flatMap((cell) => [...cell.executed.values()])
      const { user, system } = process.cpuUsage()
      process.send?.({
        cpu: user + system,
        memory: process.memoryUsage().rss,
        executed: executed.length,
        twice: executed.filter((times) => times > 1).length,
      } satisfies CellsCost)
    }
  })
  process.on('disconnect', () => process.exit())
  process.send?.('running')
}
void main()
