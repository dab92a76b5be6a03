// node many-plcs.js INTERVAL PORT…: many PLCs, one per handshake. Sends the cycles since the last request; ends with its parent.
import { setTimeout as sleep } from 'node:timers/promises'
import { openMap } from '../../lib/plc/data'
import { families } from '../../lib/plc/families'
import { VirtualPlc } from '../../lib/plc/virtual/virtual-plc'

const [interval = 0, ...ports] = process.argv.slice(2).map(Number)
const family = families.sequence
const map = openMap({ lines: family.map })
let done = 0

async function run(port: number, index: number) {
  const plc = new VirtualPlc({ host: '127.0.0.1', port, family, map, order: 'ABCD' })
  const { signal } = new AbortController()
  // Staggered.
  await sleep((index / ports.length) * interval)
  for (let next = performance.now(); ; next = Math.max(next + interval, performance.now())) {
    await sleep(Math.max(0, next - performance.now()))
    const answer = await plc.trigger(1, signal)
    if (answer.done) done++
  }
}

for (const [index, port] of ports.entries()) void run(port, index)
process.on('message', () => {
  process.send?.(done)
  done = 0
})
process.on('disconnect', () => process.exit())
