import type { DestinationKeeper, KeepState } from '../../lib/streams'
import type { Connection } from '../device-config/connection'
import { loadClient } from '../device-config/load-client'
import { inWords } from './on-stream'

interface Keeping {
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
  device,
  stream,
  destination,
  signal,
  silence,
  onChange,
}: Keeping): DestinationKeeper {
  const tell = async (state: KeepState) => {
    const error = state.listed ? undefined : await inWords(device, stream, signal, state.error)
    if (!signal.aborted) onChange(error as Error | undefined)
  }
  return loadClient().streams.keepDestination(
    { client: device.client, stream, destination, interval, ...(silence && { silence }) },
    { onChange: (state) => void tell(state) },
  )
}
