// node fleet-centre.js PORT: a centre in Node-RED. Reports when it runs; handles `known`, `cost`, `rollout`.
import type { Node, NodeMessage } from 'node-red'
import RED from 'node-red'
import { sinks } from '../flow-nodes/bench-sink'
import { embeddedNodeRed } from './embedded-node-red'
import { fleetFlow } from './fleet-flow'

/** Since the start of the process. */
export interface CentreCost {
  /** Microseconds of CPU time. */
  cpu: number
  /** Resident bytes. */
  memory: number
  /** Received. */
  states: number
}

export interface RolloutFigures {
  seconds: number
  done: number
}

/** `known`: waits for that many devices. */
export type CentreQuestion = { known: number } | 'cost' | { rollout: object }

let states = 0
/** Milliseconds. */
const often = 20

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

type Answer = NodeMessage & Record<string, unknown>

const fleetNode = () => (RED.nodes as unknown as { getNode: (id: string) => Node | null }).getNode('fleet')

async function ask(action: string, more: object = {}): Promise<Answer> {
  const answered = new Promise<Answer>((resolve) => sinks.set('answers', resolve))
  fleetNode()?.receive({ action, ...more })
  return answered
}

async function known(devices: number): Promise<number> {
  for (;;) {
    const { total } = await ask('list', { limit: 0 })
    if (total === devices) return performance.now()
    await wait(often)
  }
}

async function rollout(order: object): Promise<RolloutFigures> {
  const began = performance.now()
  const { payload: begun } = await ask('rollout', { payload: order })
  const { id } = begun as { id: string }
  for (;;) {
    const { payload } = await ask('report')
    const now = (payload as { id: string; state: string; done: number }[]).find((one) => one.id === id)
    if (now?.state === 'ended') return { seconds: (performance.now() - began) / 1000, done: now.done }
    await wait(often)
  }
}

async function main() {
  await embeddedNodeRed(fleetFlow(Number(process.argv[2])))
  const started = performance.now()
  RED.hooks.add('postDeliver.bench', (event: object) => {
    const { msg } = event as { msg: { topic?: unknown } }
    if (typeof msg.topic === 'string' && msg.topic.endsWith('/state')) states++
  })
  process.on('message', (question: CentreQuestion) => {
    void (async () => {
      if (question === 'cost') {
        const { user, system } = process.cpuUsage()
        process.send?.({ cpu: user + system, memory: process.memoryUsage().rss, states } satisfies CentreCost)
      } else if ('known' in question) process.send?.(((await known(question.known)) - started) / 1000)
      else process.send?.(await rollout(question.rollout))
    })()
  })
  process.on('disconnect', () => process.exit())
  process.send?.('running')
}
void main()
