import type { Node } from 'node-red'
import type { Pacing } from '../../lib/streams/pacing'
import { aborted } from '../shared/handle-input'
import { hostOf } from '../device/host-of'
import { keepListed } from '../device/keep-listed'
import type { DeployedWork } from '../device/on-deploy'
import { streamRecord } from '../device/on-stream'
import { loadClient } from '../shared/load-later'
import type { Properties, OutcomeSummary } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import type { StatusWord } from '../shared/status'
import { trouble } from '../device/trouble'
import { listen, type ListenAddress } from './listen'
import { statisticsOf } from './message-of'
import { toldStatistics } from './message-of'
import { watch } from './watch'
import { startInterval } from '../../lib/timers/timers'

interface ReceiveSettings {
  stream: string
  place: ListenAddress
  pacing: Pacing
  /** Whether the node keeps itself listed on the device. */
  keeps: boolean
  /** Seconds between two messages with statistics; 0 is none. */
  statistics: number
}

type ReceiveWork = Pick<DeployedWork<never>, 'device' | 'signal' | 'emit' | 'show' | 'showLink' | 'onLink'>

/** Receives a stream until the node closes, or until the local address towards the device changes. */
export async function receive(
  node: Node,
  { device, signal, emit, show, showLink, onLink }: ReceiveWork,
  { stream, place, pacing, keeps, statistics }: ReceiveSettings,
): Promise<void> {
  const told = trouble(node, device, { show, showLink })
  const opened = await retryForever(signal, told.failed, async () => {
    const record = await streamRecord(device, stream, signal)
    const send = (message: Properties, told: OutcomeSummary) => emit(0, message, told)
    return {
      record,
      listener: await listen({ device, record, place, pacing, send, failed: told.failed }),
    }
  })
  if (!opened) return
  const { listener, record } = opened
  const { address, destination } = listener

  const moved = new AbortController()
  const lookForMove = async () => {
    const route = await loadClient().streams.routeTo(hostOf(device))
    if (route.local !== address) moved.abort()
  }
  let unlisted: StatusWord | undefined
  const lookForListing = async () => {
    const { destinations } = await streamRecord(device, stream, signal)
    // Behind a gateway the address may be a different one.
    const isListed = destinations.some((each) => each.endsWith(`:${listener.port}`))
    unlisted = isListed ? undefined : 'notListed'
    watching.look()
  }
  const kept = keeps
    ? keepListed({
        node,
        device,
        stream,
        destination,
        signal,
        silence: listener.silence,
        onChange: (error) => {
          unlisted = told.listed(error)
          watching.look()
        },
      })
    : undefined
  const watching = watch({
    device,
    listener,
    estimated: record.protobuf !== 'Imu',
    signal,
    unlisted: () => unlisted,
    show,
    showLink,
    silent: () => {
      if (!place.address) void lookForMove().catch(() => undefined)
      if (!keeps) void lookForListing().catch(() => undefined)
    },
  })
  onLink((state) => {
    // It may have restarted, and has then lost its destinations.
    if (state === 'ready') kept?.look()
    watching.look()
  })
  const report = () => {
    const statistics = listener.statistics()
    emit(
      1,
      statisticsOf(stream, destination, listener.skipped(), statistics),
      toldStatistics(stream, statistics),
    )
  }
  const uncount = device.metrics.streams.received(stream, node, () => listener.statistics())
  const reporting = statistics > 0 ? startInterval(report, 1000 * statistics) : undefined

  await Promise.race([aborted(signal), aborted(moved.signal)])
  clearInterval(reporting)
  uncount()
  watching.close()
  // Holds the port until the device no longer sends to it.
  await kept?.end()
  await listener.close()
}
