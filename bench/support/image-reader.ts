// node image-reader.js CLIENT PORT SECONDS: receives image sets; prints its measurements as JSON.
import { createRequire } from 'node:module'
import { constants } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import RED, { type Node } from 'node-red'
import type { WantedImages } from '../../lib/codec/images/codec'
import { openImages } from '../../lib/images'
import { keepFreedMemory } from '../../lib/images/message-reader'
import { counts } from '../flow-nodes/bench-count'
import { embeddedNodeRed } from './embedded-node-red'
import { watchLoop } from './loop-watch'

export interface ImageReading {
  /** Sets per second. */
  rate: number
  /** Milliseconds of processor time per set. */
  cpu: number
  /** Peak memory of the process, and of pixels, bytes. */
  memory: number
  pixels: number
  /** Pixels after garbage collection, still in use, bytes. */
  used: number
  /** Longest pause of the event loop, ms. */
  blocked: number
  /** Without waiting for a core or a garbage collection. */
  held: number
  /** Full garbage collections per set. */
  searches: number
  /** Longest of them, ms. */
  collected: number
}

const [kind = '', port = '', seconds = ''] = process.argv.slice(2)
const path = '/ImageInterface/StreamImageSets'

/** Each starts a receiver and counts the sets. */
const clients: Readonly<Record<string, () => Promise<() => number>>> = {
  ours: () => client(true),
  parts: () => client(true, { left: true, right: true, disparity: true }),
  'ours, sets may be kept': () => client(false),
  'ours, sets may be kept, in a Node-RED': () => {
    // As in a flow.
    keepFreedMemory()
    return client(false)
  },
  '@grpc/grpc-js': grpcClient,
  '@grpc/grpc-js in a Node-RED': grpcClient,
  'image-receive in a flow': startFlow,
}

interface GrpcClient {
  sets: (request: Buffer) => { on: (event: 'data', take: () => void) => void }
}

function grpcClient(): Promise<() => number> {
  const grpc = createRequire(__filename)('@grpc/grpc-js') as {
    makeGenericClientConstructor: (service: object, name: string) => new (...args: unknown[]) => GrpcClient
    credentials: { createInsecure: () => unknown }
  }
  const same = (bytes: Buffer) => bytes
  const serialize = { requestSerialize: same, requestDeserialize: same }
  const deserialize = { responseSerialize: same, responseDeserialize: same }
  const method = { path, requestStream: false, responseStream: true, ...serialize, ...deserialize }
  const Client = grpc.makeGenericClientConstructor({ sets: method }, 'ImageInterface')
  const options = { 'grpc.max_receive_message_length': -1 }
  let count = 0
  new Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), options)
    .sets(Buffer.from([8, 1]))
    .on('data', () => count++)
  return Promise.resolve(() => count)
}

function client(reusesMemory: boolean, selection: WantedImages = { left: true }): Promise<() => number> {
  let count = 0
  const read = async () => {
    const link = openImages({
      host: '127.0.0.1',
      port: Number(port),
      wanted: selection,
      newestOnly: false,
      reusesMemory,
    })
    for await (const { left } of link) if (left) count++
  }
  void read()
  return Promise.resolve(() => count)
}

/** Flow of a Node-RED before images are received. */
const flows: Readonly<Record<string, () => object[]>> = {
  'ours, sets may be kept, in a Node-RED': () => [],
  '@grpc/grpc-js in a Node-RED': () => [],
  'image-receive in a flow': () => {
    const device = { address: 'http://127.0.0.1:9', imagePort: Number(port), healthInterval: 60 }
    const receive = { send: 'every', left: 'grey', depth: 'none', cloud: 'none', picturesAs: 'raw' }
    const place = { device: 'device', pipeline: '0', pipelineType: 'str', starts: 'message' }
    return [
      { id: 'tab', type: 'tab', label: 'bench' },
      { id: 'device', type: 'vision-device-config', name: '', ...device },
      { id: 'in', z: 'tab', type: 'vision-image-receive', ...place, ...receive, wires: [['count'], []] },
      { id: 'count', z: 'tab', type: 'bench-count' },
    ]
  },
}

function startFlow(): Promise<() => number> {
  const { getNode } = RED.nodes as unknown as { getNode: (id: string) => Node }
  getNode('in').receive({ payload: 'start' })
  return Promise.resolve(() => counts.get('count') ?? 0)
}

async function measure(): Promise<ImageReading> {
  const flow = flows[kind]?.()
  if (flow) await embeddedNodeRed(flow)
  const without = process.memoryUsage().arrayBuffers
  const count = await (clients[kind] ?? (() => Promise.reject(new Error(`There is no client ${kind}.`))))()
  await sleep(1500)
  let memory = 0
  let pixels = 0
  const timer = setInterval(() => {
    const { rss, arrayBuffers } = process.memoryUsage()
    memory = Math.max(memory, rss)
    pixels = Math.max(pixels, arrayBuffers)
  }, 50)
  const loop = watchLoop()
  const before = { cpu: process.cpuUsage(), count: count(), at: performance.now() }
  await sleep(1000 * Number(seconds))
  const { user, system } = process.cpuUsage(before.cpu)
  const sets = count() - before.count
  const elapsed = (performance.now() - before.at) / 1000
  clearInterval(timer)
  const { collections, blocked, held } = loop()
  const searches = collections.filter(
    ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR,
  ).length
  const collected = Math.max(0, ...collections.map(({ duration }) => duration))
  if (sets === 0) throw new Error(`${kind}: no set arrived.`)
  const cpu = (user + system) / 1000 / sets
  const used = await mostUsed()
  const perSet = { cpu, searches: searches / sets }
  const memories = { memory, pixels: pixels - without, used: used - without }
  return { rate: sets / elapsed, ...perSet, ...memories, blocked, held, collected }
}

/** Peak of the pixels left after garbage collections, bytes. */
async function mostUsed(): Promise<number> {
  let most = 0
  for (let sample = 0; sample < 20; sample++) {
    await sleep(25)
    // The second collection completes the first.
    globalThis.gc?.()
    globalThis.gc?.()
    most = Math.max(most, process.memoryUsage().arrayBuffers)
  }
  return most
}

void measure().then((measured) => {
  process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0))
})
