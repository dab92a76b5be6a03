// node mill-program.js: Node-RED in a process. Receives a flow, then rounds; answers with the end of every message and the memory.
import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import RED from 'node-red'
import { embeddedNodeRed } from '../../bench/support/embedded-node-red'
import { heldAfterCollection, type HeapUse } from './collect-garbage'
import { fedNodes } from './fed-nodes'
import { messagesFor } from './message-nodes'
import type { Deploys, Ends, Round, RoundResult } from './mill'
import { resources } from './resources'

interface Hooks {
  add: (name: string, hook: (event: unknown) => void) => void
}
interface Runtime {
  setFlows: (options: { flows: { flows: object[] }; deploymentType: string }) => Promise<unknown>
}
interface Completed {
  node: { id: string }
  msg: { _msgid: string }
  error?: { message: string }
}
interface Sent {
  source: { id: string }
  msg: { _msgid: string }
}

/** Concurrent messages per node. */
const atOnce = 10

let ends = new Map<string, Ends>()
/** Of nodes without input. */
let sent: Record<string, number> = {}
/** Nodes that also send unprompted messages to a page. */
const ownMessages: ReadonlySet<string> = new Set(['recipes'])
let fedIds = new Set<string>()
const waiting: (() => void)[] = []

const endsOf = (id: string) => {
  const known = ends.get(id)
  if (known) return known
  const none: Ends = { outputs: 0, done: 0, errors: 0 }
  ends.set(id, none)
  return none
}

function watch() {
  const { hooks } = RED as unknown as { hooks: Hooks }
  hooks.add('onComplete.mill', (event) => {
    const { node, msg, error } = event as Completed
    if (!(node.id in fedNodes)) return
    endsOf(msg._msgid)[error ? 'errors' : 'done']++
    for (const check of waiting.splice(0)) check()
  })
  hooks.add('onSend.mill', (events) => {
    for (const { source, msg } of events as Sent[])
      if (source.id in fedNodes && (fedIds.has(msg._msgid) || !ownMessages.has(source.id)))
        endsOf(msg._msgid).outputs++
      else sent[source.id] = (sent[source.id] ?? 0) + 1
  })
}

async function feed(name: string, { round, count: most }: Round) {
  const fed = fedNodes[name] ?? {}
  const count = messagesFor(fed, most)
  const node = (
    RED.nodes as unknown as { getNode: (id: string) => { receive: (msg: object) => void } }
  ).getNode(name)
  const ended = (id: string) => {
    const end = ends.get(id)
    return end !== undefined && end.done + end.errors > 0
  }
  for (let index = 0; index < count; index++) {
    const id = `${round} ${name} ${index}`
    fedIds.add(id)
    node.receive({ _msgid: id, ...fed.message?.(id, index) })
    const last = index === count - 1
    if (index % atOnce === atOnce - 1 || last)
      while (!ended(id)) await new Promise<void>((resolve) => void waiting.push(resolve))
  }
}

async function work(round: Round): Promise<RoundResult> {
  ends = new Map()
  fedIds = new Set()
  await Promise.all(round.nodes.map((name) => feed(name, round)))
  // A second end would arrive now.
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  const result = { ends: [...ends], sent }
  ends = new Map()
  sent = {}
  return { ...result, held: await heldAfterCollection(), resources: resources() }
}

/** Alternately full and changed nodes only. */
async function deploy({ flows }: Deploys): Promise<HeapUse> {
  const { setFlows } = (RED as unknown as { runtime: { flows: Runtime } }).runtime.flows
  for (const [index, flow] of flows.entries()) {
    const started = once(RED.events, 'flows:started')
    await setFlows({ flows: { flows: flow }, deploymentType: index % 2 ? 'nodes' : 'full' })
    await started
  }
  return heldAfterCollection()
}

process.once('message', (flow: object[]) => {
  void embeddedNodeRed(flow).then(({ stop }) => {
    watch()
    process.on('message', (task: Round | Deploys) => {
      const result = 'flows' in task ? deploy(task) : work(task)
      void result.then((answer) => process.send?.(answer))
    })
    // Its folder is removed with it.
    process.on('disconnect', () => void stop().finally(() => process.exit()))
    process.send?.('ready')
  })
})
