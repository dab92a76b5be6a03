import { startVirtualDevice } from '../../virtual-device'
import { faults, startFaultyProxy, type Fault } from '../support/proxies/faulty-proxy'
import { messageFlow, messageNodes } from '../support/message-nodes'
import { startMill } from '../support/mill'

/** An hour of a cell that works once a second. */
const cycles = 3600
const rounds = 60
/** Rounds after which everything is loaded and warm. */
const warm = 6
const share = 0.01

interface Soaked {
  messages: number
  /** Bytes in use after each round. */
  heaps: number[]
  /** Growth from the warm rounds to the last ones, as a share. */
  growth: number
}

/** An hour's work of every node, with something going wrong all the time. @param tell progress for people */
export async function soak(tell: (line: string) => void): Promise<Soaked> {
  const devices = [
    await startVirtualDevice({ port: 0, variant: 'single' }),
    await startVirtualDevice({ port: 0, variant: 'multi' }),
  ]
  const proxies = await Promise.all(devices.map(({ port }, index) => startFaultyProxy(port, index + 1)))
  const [single = '', multi = ''] = proxies.map(({ url }) => url)
  const mill = await startMill(messageFlow({ single, multi }, { deadline: 0.2, queue: 1000 }))
  const nodes = Object.keys(messageNodes)
  const kinds = Object.keys(faults) as Fault[]
  const heaps: number[] = []
  let messages = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const fault = kinds[round % kinds.length]
      for (const proxy of proxies) proxy.befall(fault, share)
      const { ends, heap } = await mill.grind({ round: String(round), nodes, count: cycles / rounds })
      heaps.push(heap)
      messages += ends.length
      const twice = ends.filter(([, { done, errors }]) => done + errors !== 1)
      if (twice.length)
        throw new Error(`messages that did not end once: ${twice.map(([id]) => id).join(', ')}`)
      tell(`${round + 1}/${rounds} ${fault ?? ''}: ${(heap / 1024 / 1024).toFixed(1)} MiB`)
    }
  } finally {
    await mill.stop()
    for (const part of [...proxies, ...devices]) await part.stop()
  }
  const growth = median(heaps.slice(-warm)) / median(heaps.slice(warm, 2 * warm)) - 1
  return { messages, heaps, growth }
}

const median = (numbers: number[]) =>
  numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? NaN
