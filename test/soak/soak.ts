import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { nodeNames } from '../support/dialog-source'
import { fedNodes } from '../support/fed-nodes'
import { messageFlow, messagesFor } from '../support/message-nodes'
import { startMill, type RoundResult } from '../support/mill'
import { faults, startFaultyProxy, type Fault } from '../support/proxies/faulty-proxy'
import type { Resources } from '../support/resources'
import { growthOf } from './growth'
import { standingNodes } from './standing-nodes'

/** An hour of a cell that works once a second. */
const cycles = 3600
const rounds = 60
/** Rounds after which everything is loaded and warmed up. */
const warm = 10
const share = 0.01
/**
 * What restarts a device, by the index of the round. None while answers are withheld: an upload waits half an hour for
 * its answer.
 */
const rarely = 12
const restarts: Readonly<Record<number, string>> = { 3: 'restart', 6: 'update' }

interface Soaked {
  messages: number
  /** Messages of nodes that work without input. */
  ownMessages: number
  /** Growth of the memory in use after the warm-up rounds, as a share: of the heap, and including memory outside it. */
  growth: { heap: number; all: number }
  /** Kinds of sockets, timers, files and listeners of which there were more at the end. */
  left: string[]
}

/**
 * An hour's work of every node with constant faults.
 * @param tell reports progress to people
 * @throws Error if a message does not end exactly once, or a node took no part
 */
export async function soak(tell: (line: string) => void): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-soak-'))
  const quick = { boot_seconds: 0.5, boot_502_seconds: 0.1, update_seconds: 0.1 }
  const devices = [
    await startVirtualDevice({ port: 0, variant: 'single', scenario: { log_chatter: 2 } }),
    await startVirtualDevice({ port: 0, variant: 'multi' }),
    await startVirtualDevice({ port: 0, variant: 'single', scenario: quick }),
  ]
  const proxies = await Promise.all(devices.map(({ port }, index) => startFaultyProxy(port, index + 1)))
  const [single = '', multi = '', spare = ''] = proxies.map(({ url }) => url)
  const artifact = join(folder, 'artifact')
  const flow = [
    ...messageFlow({ single, multi, spare }, { deadline: 0.2, queue: 1000 }, fedNodes).map((node) =>
      node.id === 'update' ? { ...node, source: artifact, sourceType: 'str', folders: folder } : node,
    ),
    ...standingNodes('on-single'),
  ]
  assertComplete(flow)
  const mill = await startMill(flow)
  const often = Object.keys(fedNodes).filter((name) => !Object.values(restarts).includes(name))
  const kinds = Object.keys(faults) as Fault[]
  const results: RoundResult[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const fault = kinds[round % kinds.length]
      for (const proxy of proxies) proxy.inject(fault, share)
      const rare = restarts[round % rarely]
      await writeArtifact(artifact, { version: `v${round}.0.0`, size: 100_000 })
      const nodes = rare ? [...often, rare] : often
      const result = await mill.grind({ round: String(round), nodes, count: cycles / rounds })
      assertEnded(result, nodes)
      results.push(result)
      const { heap, external } = result.held
      tell(`${round + 1}/${rounds} ${fault ?? ''}: heap ${inMiB(heap)}, outside ${inMiB(external)} MiB`)
    }
  } finally {
    await mill.stop()
    for (const part of [...proxies, ...devices]) await part.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  assertTookPart(results)
  const steady = results.slice(warm)
  return {
    messages: results.reduce((sum, { ends }) => sum + ends.length, 0),
    ownMessages: results.flatMap(({ sent }) => Object.values(sent)).reduce((sum, count) => sum + count, 0),
    growth: {
      heap: growthOf(steady.map(({ held }) => held.heap)),
      all: growthOf(steady.map(({ held }) => held.heap + held.external)),
    },
    left: leftOver(steady.map((result) => result.resources)),
  }
}

function assertComplete(flow: readonly { type: string }[]): void {
  const there = new Set(flow.map(({ type }) => type))
  const missing = nodeNames.filter((name) => !there.has(`vision-${name}`))
  if (missing.length) throw new Error(`nodes that take no part: ${missing.join(', ')}`)
}

function assertEnded({ ends }: RoundResult, nodes: readonly string[]): void {
  const wrong = ends.filter(([, { done, errors }]) => done + errors !== 1).map(([id]) => id)
  if (wrong.length) throw new Error(`messages that did not end once: ${wrong.join(', ')}`)
  const expected = nodes.reduce((sum, name) => sum + messagesFor(fedNodes[name] ?? {}, cycles / rounds), 0)
  if (ends.length !== expected) throw new Error(`${ends.length} messages ended of ${expected}`)
}

/** Some messages of each node succeeded, and nodes without input sent some. */
function assertTookPart(results: readonly RoundResult[]): void {
  const done = new Set(
    results.flatMap(({ ends }) => ends.filter(([, end]) => end.done).map(([id]) => id.split(' ')[1] ?? '')),
  )
  const sent = new Set(results.flatMap((result) => Object.keys(result.sent)))
  const idle = [
    ...Object.keys(fedNodes).filter((name) => !done.has(name)),
    ...standingNodes('').flatMap(({ id, sends }) => (sends && !sent.has(id) ? [id] : [])),
  ]
  if (idle.length) throw new Error(`nodes that did nothing: ${idle.join(', ')}`)
}

/** More at the end than at any time in the first steady rounds; the number of open ones varies slightly. */
function leftOver(series: readonly Resources[]): string[] {
  const most = (part: readonly Resources[], kind: string) => Math.max(...part.map((each) => each[kind] ?? 0))
  const least = (part: readonly Resources[], kind: string) => Math.min(...part.map((each) => each[kind] ?? 0))
  const kinds = [...new Set(series.flatMap((each) => Object.keys(each)))]
  return kinds.flatMap((kind) => {
    const [before, after] = [most(series.slice(0, warm), kind), least(series.slice(-warm), kind)]
    return after > before ? [`${kind}: ${before} before, ${after} after`] : []
  })
}

const inMiB = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)
