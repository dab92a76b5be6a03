import type { Node } from 'node-red'
import type { StreamMessages, StreamMessageType, Time } from '../../lib/codec/streams'
import type { Stream } from '../../lib/contract'
import { innerState } from '../../lib/contract/reading/values'
import type { Receiver, ReceiverOptions, ReceiverStatistics } from '../../lib/streams'
import { pacer, type Pacing } from '../../lib/streams/pacing'
import { Scope, settled } from '../../lib/kernel/scope'
import { startInterval } from '../../lib/kernel/timers'
import type { Connection } from '../device/connection'
import { hostOf } from '../device/device'
import { keepListed, streamRecord } from '../device/on-stream'
import { type DeployedWork, trouble } from '../device/on-deploy'
import { sentencesOf } from '../sentences'
import { aborted } from '../shared/handle-input'
import { loadClient } from '../shared/load-later'
import type { OutcomeSummary, Properties } from '../shared/outcome'
import { retryForever } from '../shared/retry-forever'
import type { StatusWord } from '../shared/status'

interface ReceiveSettings {
  stream: string
  place: ListenAddress
  pacing: Pacing
  /** The node keeps itself listed. */
  keeps: boolean
  /** Seconds; 0: none. */
  statistics: number
}

type ReceiveWork = Pick<DeployedWork<never>, 'device' | 'signal' | 'emit' | 'show' | 'showLink' | 'onLink'>

/** Until the node closes or the local address towards the device changes. */
export async function receive(
  node: Node,
  { device, signal, emit, show, showLink, onLink }: ReceiveWork,
  { stream, place, pacing, keeps, statistics }: ReceiveSettings,
): Promise<void> {
  const { failed, listed } = trouble(node, device, { show, showLink })
  const opened = await retryForever(signal, failed, async () => {
    const record = await streamRecord(device, stream, signal)
    const send = (message: Properties, summary: OutcomeSummary) => emit(0, message, summary)
    return {
      record,
      listener: await listen({ device, record, place, pacing, send, failed }),
    }
  })
  if (!opened) return
  const { listener, record } = opened
  const { address, destination } = listener

  const checks = new Scope({ parent: signal, failed })
  const moved = new AbortController()
  const checkRoute = async () => {
    const route = await loadClient().streams.routeTo(hostOf(device))
    if (route.local !== address) moved.abort()
  }
  let unlisted: StatusWord | undefined
  const checkListing = async () => {
    const { destinations } = await streamRecord(device, stream, checks.signal)
    // A gateway may change the address.
    const isListed = destinations.some((each) => each.endsWith(`:${listener.port}`))
    unlisted = isListed ? undefined : 'notListed'
    watching.check()
  }
  const listing = keeps
    ? keepListed({
        node,
        device,
        stream,
        destination,
        signal,
        silence: listener.silence,
        onChange: (error) => {
          unlisted = listed(error)
          watching.check()
        },
      })
    : undefined
  const watching = watch({
    device,
    listener,
    estimated: record.protobuf !== 'Imu',
    checks,
    signal,
    unlisted: () => unlisted,
    show,
    showLink,
    silent: () => {
      // The link reports an absent device; checks continue while nothing arrives.
      if (!place.address) checks.begin(() => settled(checkRoute()))
      if (!keeps) checks.begin(() => settled(checkListing()))
    },
  })
  onLink((state) => {
    // A restarted device has lost its destinations.
    if (state === 'ready') listing?.check()
    watching.check()
  })
  const report = () => {
    const statistics = listener.statistics()
    emit(
      1,
      statisticsOf(stream, destination, listener.skipped(), statistics),
      summaryOfStatistics(stream, statistics),
    )
  }
  const uncount = device.metrics.streams.received(stream, node, () => listener.statistics())
  const reporting = statistics > 0 ? startInterval(report, 1000 * statistics) : undefined

  await Promise.race([aborted(signal), aborted(moved.signal)])
  clearInterval(reporting)
  uncount()
  watching.close()
  await checks.close()
  // Keeps the port until the device stops sending.
  await listing?.end()
  await listener.close()
}

export type ListenAddress = Pick<ReceiverOptions<StreamMessageType>, 'address' | 'port' | 'allow'>

interface Listening {
  device: Connection
  record: Stream
  place: ListenAddress
  pacing: Pacing
  send: (message: Properties, summary: OutcomeSummary) => void
  failed: (error: unknown) => void
}

interface Listener extends Receiver {
  /** Left out by the pace. */
  skipped: () => number
}

/** @throws VisionError if it cannot listen */
async function listen({ device, record, place, pacing, send, failed }: Listening): Promise<Listener> {
  const isBatch = pacing.send === 'batch'
  const summaryOf = summarizer()
  const paced = pacer<Received>(pacing, (received) =>
    send(messageOf(record.name, received, isBatch), summaryOf(record.name, received.length, isBatch)),
  )
  const receiver = await loadClient().streams.receiveStream(
    { device: hostOf(device), message: record.protobuf as StreamMessageType, ...place },
    { onMessage: (message, timestamp) => paced.take({ message, timestamp }), onError: failed },
  )
  return {
    ...receiver,
    skipped: () => paced.skipped(),
    close: async () => {
      const closed = receiver.close()
      paced.close()
      await closed
    },
  }
}

const { summarize } = sentencesOf('stream-receive')

interface Received {
  message: StreamMessages[keyof StreamMessages]
  timestamp: Time
}

/** @param received in order of arrival; one message, or a batch */
function messageOf(stream: string, received: readonly Received[], isBatch: boolean) {
  const messages = received.map(({ message }) => withPlainNumbers(message))
  const newest = received.at(-1)
  return {
    topic: stream,
    payload: isBatch ? messages : messages[0],
    ...(newest && { timestamp: secondsOf(newest.timestamp) }),
  }
}

const statisticsOf = (
  stream: string,
  destination: string,
  skipped: number,
  { silence, timestamp, jitter, ...statistics }: ReceiverStatistics,
) => ({
  topic: stream,
  payload: {
    destination,
    ...statistics,
    skipped,
    // The meter uses milliseconds; flows use seconds.
    jitter: jitter / 1000,
    ...(silence !== undefined && { silence: silence / 1000 }),
    ...(timestamp && { timestamp: secondsOf(timestamp) }),
  },
})

/** Seconds since 1970. */
const secondsOf = ({ sec = 0, nsec = 0 }: Time): number => Number(sec) + nsec / 1e9

/** A bigint is needed only if the clock is far off, and JSON has none. */
function withPlainNumbers<Value extends object>(value: Value): Value {
  for (const [key, each] of Object.entries(value)) {
    if (typeof each === 'bigint') Object.assign(value, { [key]: Number(each) })
    else if (typeof each === 'object' && !Array.isArray(each)) withPlainNumbers(each as object)
  }
  return value
}

/** Single messages arrive up to hundreds of times a second; their text is reused. */
function summarizer(): (stream: string, count: number, isBatch: boolean) => OutcomeSummary {
  let single: OutcomeSummary | undefined
  return (stream, count, isBatch) =>
    isBatch
      ? summarize('result-stream-batch', { stream, count }, { value: count })
      : (single ??= summarize('result-stream', { stream }, { value: 1 }))
}

function summaryOfStatistics(stream: string, { rate, lost: count }: ReceiverStatistics): OutcomeSummary {
  const shown = Number(rate.toPrecision(3))
  return count > 0
    ? summarize('result-stream-losses', { stream, rate: shown, count }, { value: shown, state: 'warning' })
    : summarize('result-stream-rate', { stream, rate: shown }, { value: shown })
}

/** Milliseconds between checks. */
const interval = 1000

/** Checks between queries of the device while nothing arrives, and for which losses are shown. */
const rarely = 5

interface Watching {
  device: Connection
  listener: Listener
  /** By the device's dynamics module. */
  estimated: boolean
  checks: Scope
  signal: AbortSignal
  /** Why the destination is not on the device. */
  unlisted: () => StatusWord | undefined
  show: (word: StatusWord, count: number) => void
  showLink: () => void
  /** Every few seconds while nothing arrives. */
  silent: () => void
}

interface Watch {
  check: () => void
  close: () => void
}

/** Shows the reception, or a possible reason for its absence. */
function watch(watching: Watching): Watch {
  const { device, listener, estimated, checks, signal, unlisted, show, showLink, silent } = watching
  const began = performance.now()
  let stopped = false
  let lost = 0
  /** Remaining checks for which losses are shown. */
  let losing = 0
  let silentChecks = 0

  const check = () => {
    if (signal.aborted) return
    if (device.link.state !== 'ready') {
      showLink()
      return
    }
    const listening = performance.now() - began
    const statistics = listener.statistics()
    const seen = { statistics, listening, losing: losing > 0, dynamicsStopped: stopped }
    const why = unlisted()
    show(...statusFor({ ...seen, ...(why && { unlisted: why }) }))
  }
  const checkAgain = () => {
    const { lost: now } = listener.statistics()
    losing = now > lost ? rarely : Math.max(0, losing - 1)
    lost = now
    const isSilent = Math.min(listener.silence(), performance.now() - began) >= patience
    if (!isSilent) [stopped, silentChecks] = [false, 0]
    else if (silentChecks++ % rarely === 0) {
      silent()
      if (estimated) checks.begin(ask)
    }
    check()
  }
  const ask = async () => {
    stopped = await dynamicsStopped(device, checks.signal)
    check()
  }

  const timer = startInterval(checkAgain, interval)
  check()
  return { check, close: () => clearInterval(timer) }
}

/** Poses and dynamics are sent only while the dynamics module runs. */
async function dynamicsStopped(device: Connection, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, values } = await device.onNode(
      { pipeline: '0', node: 'dev_dynamics', signal },
      ({ node }) => device.client.getNodeStatus({ pipeline: '0', node }, { signal }),
    )
    return innerState(values) === 'IDLE' || status === 'idle'
  } catch {
    // Only a hint: the stream itself has not failed.
    return false
  }
}

/** Milliseconds without data until the status shows it. */
const patience = 3000

export interface ReceptionState {
  statistics: ReceiverStatistics
  /** Milliseconds since listening began. */
  listening: number
  losing: boolean
  /** Why the destination is not on the device. */
  unlisted?: StatusWord
  /** The stream needs the dynamics module, which is not running. */
  dynamicsStopped: boolean
}

export function statusFor({
  statistics,
  listening,
  losing,
  unlisted,
  dynamicsStopped,
}: ReceptionState): [StatusWord, number] {
  const { messages, rate, silence = Infinity, foreign, garbage, truncated } = statistics
  if (Math.min(silence, listening) < patience)
    return rate > 0 ? [losing ? 'losing' : 'receiving', abbreviated(rate)] : ['awaitingData', 0]
  if (unlisted) return [unlisted, 0]
  if (dynamicsStopped) return ['dynamicsStopped', 0]
  if (messages > 0) return ['dataEnded', 0]
  if (garbage + truncated > 0) return ['unreadableData', 0]
  return [foreign > 0 ? 'foreignData' : 'noData', 0]
}

/** More than two digits would change every second and flood the editor. */
const abbreviated = (rate: number) => Number(rate.toPrecision(2))
