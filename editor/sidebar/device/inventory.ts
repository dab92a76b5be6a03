import type { NodeInfo } from '../../../lib/contract'
import { deviceApi } from '../../device-api'
import { pipelinesOf } from './pipelines'

/** A node of a device; `pipeline` is empty for a global one. */
export interface ListedNode {
  pipeline: string
  info: NodeInfo
}

/** Devices that are queried at the same time. */
const atOnce = 4
let running = 0
const waiting: (() => void)[] = []

interface Inventory {
  nodes?: readonly ListedNode[]
  asked: Promise<unknown>
  /** Time in ms until which it is not queried again. */
  until: number
}

/** Cached because a search is typed letter by letter. */
const kept = new WeakMap<EditorNode, Inventory>()
/** Milliseconds. */
const goodFor = { answer: 60_000, failure: 3000 }

/**
 * The nodes of a device with the names of their parameters, as far as they are known. If they are not, queries the
 * device and calls `again` when it has answered or failed; a failure counts as
 * no change, or as having none.
 */
export function inventory(device: EditorNode, again: () => void): readonly ListedNode[] | undefined {
  const last = kept.get(device)
  if (last && Date.now() < last.until) {
    if (!last.nodes) void last.asked.then(again)
    return last.nodes
  }
  const entry: Inventory = {
    until: Date.now() + goodFor.answer,
    asked: inTurn(() => listed(device.id))
      .catch(() => {
        entry.until = Date.now() + goodFor.failure
        return last?.nodes ?? []
      })
      .then((nodes) => (entry.nodes = nodes)),
    ...(last?.nodes && { nodes: last.nodes }),
  }
  kept.set(device, entry)
  void entry.asked.then(again)
  return entry.nodes
}

async function listed(device: string): Promise<ListedNode[]> {
  const api = deviceApi(device)
  const names = Object.keys(await pipelinesOf(device))
  const inPipelines = names.map(async (pipeline) =>
    (await api.read('listNodes', { pipeline })).map((info) => ({ pipeline, info })),
  )
  const global = api.read('listGlobalNodes').then((all) => all.map((info) => ({ pipeline: '', info })))
  return (await Promise.all([...inPipelines, global])).flat()
}

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  while (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}
