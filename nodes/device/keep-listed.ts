import type { Node } from 'node-red'
import type { KeepState } from '../../lib/streams'
import type { Connection } from './connection'
import { loadClient } from './load-client'
import { causeOf } from '../shared/node-error'
import { inWords } from './on-stream'
import { nodeError } from './sentences'

/** What keeps a destination listed. */
export interface ListedDestination {
  /** Asks the device now, because it may have restarted for instance. */
  look: () => void
  /** Removes the destination; warns where it may stay on the device. */
  end: () => Promise<void>
}

interface Keeping {
  node: Node
  device: Connection
  stream: string
  /** `<ip>:<port>` */
  destination: string
  signal: AbortSignal
  /** Milliseconds since data came: while it does, the device is not asked. */
  silence?: () => number
  /** It is listed, or it is not: then why, in words of the flow. Called for changes only. */
  onChange: (error?: Error) => void
}

/** Longest time from one question to the device to the next, milliseconds. */
const interval = 2000

/** Keeps a destination on a device for a node. */
export function keepListed({
  node,
  device,
  stream,
  destination,
  signal,
  silence,
  onChange,
}: Keeping): ListedDestination {
  const tell = async (state: KeepState) => {
    const error = state.listed ? undefined : await inWords(device, stream, signal, state.error)
    if (!signal.aborted) onChange(error as Error | undefined)
  }
  const { look, close } = loadClient().streams.keepDestination(
    { client: device.client, stream, destination, interval, ...(silence && { silence }) },
    { onChange: (state) => void tell(state) },
  )
  const end = async () => {
    const problem = await close()
    if (!problem) return
    const { reason, status } = causeOf(problem) ?? {}
    const why = reason ?? (status === undefined ? problem.code : `HTTP ${status}`)
    const values = { device: device.client.name, stream, destination, reason: why }
    node.warn(nodeError(problem.code, 'stream-left', values).message)
  }
  return { look, end }
}
