import { request, type Dispatcher, Agent, buildConnector } from 'undici'
import type { Socket } from 'node:net'
import { abortedAfter, pauseFor } from '../kernel/timers'
import { RetrySchedule } from '../kernel/connection'
import { dialling } from '../kernel/dial'
import { attributesOf, logRecord, LogRecord, type ExportedLog } from './log-record'
import { DurableQueue } from '../kernel/durable-queue'
import { awaitedLater, settled } from '../kernel/scope'

export type Posted =
  | { end: 'taken'; rejected: number; reason: string }
  /** Certainly not delivered; may be repeated. @property after milliseconds that the collector asks for */
  | { end: 'later'; reason: string; after?: number }
  /** Possibly delivered. */
  | { end: 'unknown'; reason: string; after?: number }
  /** Must not be repeated. */
  | { end: 'refused'; reason: string }

export interface PostOptions {
  url: string
  headers: Readonly<Record<string, string>>
  dispatcher: Dispatcher
  /** Milliseconds. */
  deadline: number
  signal: AbortSignal
}

/** Failures before a byte was sent, besides all connection errors. */
const unsent = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const longestAnswer = 64 * 1024 // characters of an answer that are read

/** By the rules of OTLP: 429, 502, 503 and 504 are repeated, other errors are not. Never throws. */
async function post(
  body: string,
  { url, headers, dispatcher, deadline, signal }: PostOptions,
): Promise<Posted> {
  try {
    const answer = await request(url, {
      ...{
        method: 'POST',
        body,
        dispatcher,
        signal: AbortSignal.any([signal, abortedAfter(deadline)]),
      },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    let text = ''
    for await (const chunk of answer.body) if (text.length < longestAnswer) text += String(chunk)
    const { statusCode: status } = answer
    if (status >= 200 && status < 300) return taken(text)
    const after = retryAfter(answer.headers['retry-after'])
    const rest = { reason: `HTTP ${status}`, ...(after !== undefined && { after }) }
    if (status === 429 || status === 503) return { end: 'later', ...rest }
    // A gateway also answers like this if only the response was lost.
    if (status === 502 || status === 504) return { end: 'unknown', ...rest }
    return { end: 'refused', reason: rest.reason }
  } catch (error) {
    const { code, message, syscall } = error as NodeJS.ErrnoException
    const isUnsent = syscall === 'connect' || unsent.has(code ?? '')
    return { end: isUnsent ? 'later' : 'unknown', reason: code ?? message }
  }
}

function taken(text: string): Posted {
  try {
    const { partialSuccess } = JSON.parse(text) as {
      partialSuccess?: { rejectedLogRecords?: string | number; errorMessage?: string }
    }
    const { rejectedLogRecords = 0, errorMessage = '' } = partialSuccess ?? {}
    return { end: 'taken', rejected: Number(rejectedLogRecords) || 0, reason: errorMessage.slice(0, 500) }
  } catch {
    return { end: 'taken', rejected: 0, reason: '' }
  }
}

/** Milliseconds, from seconds or a date. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text.trim()) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, 1000 * seconds)
}

export interface ExporterOptions {
  url: string
  headers: Readonly<Record<string, string>>
  /** Buffer; only one program at a time may use it. */
  folder: string
  /** Must include `service.name`. */
  resource: Readonly<Record<string, string>>
  scope: { name: string; version: string }
  most?: number
  /** Milliseconds for which records are collected. @default 1000 */
  collect?: number
  deadline?: number
  /** Milliseconds: limit of the first pause after a failure; it doubles up to a minute. @default 1000 */
  pause?: number
  /**
   * Records were lost for the collector: dropped from a full buffer, damaged on disk, or refused by the collector, with its
   * reason. Must not throw.
   */
  onLost?: (count: number, by: 'buffer' | 'damage' | 'refusal', reason: string) => void
  /** The collector does not take records now (with the reason), or takes them again. Must not throw. */
  onAway?: (reason: string | undefined) => void
}

export interface Exporter {
  /** Writes to the buffer. @throws if the disk is full */
  put: (log: ExportedLog) => void
  /** Resolves when everything put in would survive a power failure. */
  sync: () => Promise<void>
  /** Stops sending; the next start sends the rest. */
  close: () => Promise<void>
}

const [recordsAtOnce, bytesAtOnce] = [200, 256 * 1024] // per request; a single record may exceed the bytes

const longestPause = 60_000

const longestRest = 3_600_000 // milliseconds

/**
 * Sends log records to a collector by OTLP over HTTP as JSON, in batches, from a bounded buffer on disk. Each record is
 * delivered once; a possible duplicate has the attribute `vision.resent`.
 */
export async function openExporter(options: ExporterOptions): Promise<Exporter> {
  const { folder, most = 16 * 1024 * 1024, collect = 1000, deadline = 10_000, pause = 1000 } = options
  const { url, headers, onLost = () => undefined, onAway = () => undefined } = options
  const queue = await DurableQueue.open({
    ...{ folder, most, entry: LogRecord, atOnce: recordsAtOnce, bytesAtOnce },
  })
  const closing = new AbortController()
  const { signal } = closing
  const isClosed = () => signal.aborted
  // Its own connections: a collector that hangs must not delay a device.
  const connect = buildConnector({ timeout: 0 }) as unknown as (
    ...target: Parameters<buildConnector.connector>
  ) => Socket
  const dispatcher = new Agent({ connections: 1, connect: dialling(connect, { timeout: deadline, signal }) })
  let wake: () => void = () => undefined
  const schedule = new RetrySchedule({ first: pause, longest: longestPause })
  let away = false

  const bodyOf = (records: readonly LogRecord[], resent: boolean) => {
    const logRecords = resent
      ? records.map((record) => ({
          ...record,
          attributes: [...record.attributes, ...attributesOf({ 'vision.resent': true })],
        }))
      : records
    const resource = { attributes: attributesOf(options.resource) }
    return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: options.scope, logRecords }] }] })
  }
  const reportAway = (reason: string | undefined) => {
    if (away === (reason !== undefined)) return
    away = reason !== undefined
    onAway(reason)
  }

  let shrinking: Promise<void> | undefined
  /** Also while a collector asks for a long pause. */
  const shrink = () =>
    (shrinking ??= queue
      .shrink()
      .then((dropped) => {
        if (dropped > 0) onLost(dropped, 'buffer', '')
      })
      .finally(() => {
        shrinking = undefined
      }))

  const sendNext = async (): Promise<number> => {
    const taken = await queue.take()
    if (!taken) return 0
    const { batch, entries: records, damaged, mayHaveArrived } = taken
    const remove = async () => {
      await queue.remove(batch)
      if (damaged > 0) onLost(damaged, 'damage', '')
    }
    if (records.length === 0) {
      await remove()
      return 0
    }
    const posted = await post(bodyOf(records, mayHaveArrived), { url, headers, dispatcher, deadline, signal })
    if (posted.end === 'taken' || posted.end === 'refused') {
      await remove()
      schedule.reset()
      if (posted.end === 'refused') onLost(records.length, 'refusal', posted.reason)
      else if (posted.rejected > 0) onLost(posted.rejected, 'refusal', posted.reason)
      reportAway(undefined)
      return 0
    }
    if (posted.end === 'later' && !mayHaveArrived) await queue.giveBack(batch)
    if (isClosed()) return 0
    reportAway(posted.reason)
    return schedule.next(Math.min(posted.after ?? 0, longestRest))
  }

  const run = async () => {
    while (!isClosed()) {
      if (queue.isEmpty)
        await new Promise<void>((resolve) => {
          wake = resolve
          if (isClosed()) resolve()
        })
      if (!queue.isUrgent) await pauseFor(collect, signal)
      if (isClosed()) return
      await shrink()
      await pauseFor(await sendNext(), signal)
    }
  }
  // A disk error is retried like an unreachable collector.
  const runForEver = async () => {
    while (!isClosed())
      await run().catch((error: unknown) => {
        reportAway(error instanceof Error ? error.message : String(error))
        return pauseFor(longestPause, signal)
      })
  }
  const ended = runForEver()

  return {
    put: (log) => {
      queue.put(logRecord(log))
      // The next round reports why nothing could be dropped.
      if (queue.isTooLarge) shrinking = awaitedLater(shrink())
      wake()
    },
    sync: () => queue.sync(),
    close: async () => {
      closing.abort()
      wake()
      await ended
      await settled(shrinking ?? Promise.resolve())
      await queue.close()
      await dispatcher.destroy()
    },
  }
}
