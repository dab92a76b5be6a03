import type { LogInfo } from '../contract'
import { restAfter } from '../client/retry-after'
import { isVisionError } from '../client/vision-error'
import { carefulPositions } from './careful-positions'
import { logFilter } from './filter'
import { FollowedLog } from './followed-log'
import type { Follower, FollowHandlers, FollowOptions, FollowState } from './follow-options'
import { pacer, type ReadOutcome } from './pace'
import { RateLimit } from './rate-limit'
import { sleep } from '../timers/timers'

const onTimer = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, signal).catch(() => undefined)

/** Stands for all logs in the saved positions: all logs have been followed. */
const allLogs = ' all'
const emptyPosition = { tail: [], complete: true, gone: [], doubtful: [] }

/** Such an answer concerns this log only; other logs may be readable. */
const isOfOneLog = (error: unknown) =>
  isVisionError(error) &&
  ['BAD_REPLY', 'BAD_REQUEST', 'DEVICE_FAULT', 'FORBIDDEN', 'INVALID_INPUT'].includes(error.code)

/**
 * Follows one log or all logs of a device: delivers new entries in order, each one once. Reports a gap where it cannot
 * be shown that nothing is missing. Continues through all failures of the device until it is closed.
 * @throws VisionError `INVALID_INPUT` for an invalid regular expression
 */
export function followLogs(options: FollowOptions, handlers: FollowHandlers): Follower {
  const { source, log: only, start = 'now', last = 100, batch = 1, most = 10_000 } = options
  const { wait = onTimer, now = () => performance.now() } = options
  const closing = new AbortController()
  const { signal } = closing
  const isClosed = () => signal.aborted
  const passing = logFilter(options.filter ?? {}, options.language, (error) => handlers.onProblem?.(error))
  const limit = new RateLimit(options.rate, now)
  const pause = pacer(options.pace ?? {})
  const positions =
    start === 'kept' && options.positions
      ? carefulPositions(options.positions, options.language, (error) => handlers.onProblem?.(error))
      : undefined
  const followed = new Map<string, FollowedLog>()
  let hasBegun = false
  /** True if all logs were followed before: an unknown log has then been created since. */
  let knewAll = false
  let isQuiet = true

  const follow = async (name: string) => {
    const log = new FollowedLog({
      reading: { source, log: name, most, signal },
      passing,
      limit,
      batch,
      handlers,
      isNew: hasBegun || knewAll,
      ...(positions && { positions }),
    })
    await log.resume()
    followed.set(name, log)
    return log
  }

  const round = async (): Promise<ReadOutcome> => {
    // The small list of logs shows that nothing has changed, and saves larger answers.
    const listed =
      only === undefined || isQuiet ? await source.listLogs({ signal, waitForDevice: false }) : undefined
    if (!hasBegun && only === undefined) knewAll = (await positions?.load(allLogs)) !== undefined
    const names =
      only === undefined
        ? [...new Set([...(listed ?? []).map(({ name }) => name), ...followed.keys()])]
        : [only]
    let went: ReadOutcome = 'none'
    let isMissing = names.length === 0
    let failure: { error: unknown } | undefined
    for (const name of names) {
      const log = followed.get(name) ?? (await follow(name))
      const info = listed?.find((one) => one.name === name)
      const looked = await look(log, info, listed !== undefined && !info).catch((error: unknown) => {
        if (!isOfOneLog(error)) throw error
        failure ??= { error }
        log.missed()
        return 'none' as const
      })
      if (isClosed()) return went
      isMissing ||= looked === 'missing'
      if (looked === 'behind' || (looked === 'entries' && went === 'none')) went = looked
    }
    if (!hasBegun && only === undefined) await positions?.replace(allLogs, emptyPosition)
    hasBegun = true
    isQuiet = went === 'none'
    if (failure) tell({ doing: 'failing', error: failure.error })
    else tell({ doing: went === 'behind' ? 'catchingUp' : isMissing ? 'missing' : 'following' })
    return went
  }

  const look = async (log: FollowedLog, info: LogInfo | undefined, isMissing: boolean) => {
    try {
      if (isMissing) return await missing(log)
      const hasStarted = await log.begin(start === 'last' ? last : 0)
      const { entries, behind } = await log.look(info)
      return behind ? 'behind' : entries > 0 || hasStarted ? 'entries' : 'none'
    } catch (error) {
      if (isVisionError(error) && error.code === 'NOT_FOUND') return missing(log)
      throw error
    }
  }
  const missing = async (log: FollowedLog) => {
    await log.beginEmpty()
    log.missed()
    return 'missing' as const
  }

  let told = ''
  const tell = (state: FollowState) => {
    const key =
      state.doing === 'failing' ? String(isVisionError(state.error) && state.error.code) : state.doing
    if (key === told || signal.aborted) return
    told = key
    handlers.onState?.(state)
  }

  const failed = (error: unknown): number => {
    isQuiet = true
    for (const log of followed.values()) log.missed()
    tell({ doing: 'failing', error })
    return pause('failed', restAfter(error))
  }
  const report = async () => {
    const held = limit.report()
    if (held && !isClosed()) await handlers.onHeldBack?.(held)
  }
  const run = async () => {
    while (!isClosed()) {
      const rest = await report()
        .then(round)
        .then((went) => pause(went), failed)
      if (!isClosed()) await wait(Math.min(rest, limit.wait), signal)
    }
    for (const log of followed.values()) log.rest()
    await positions?.close()
  }

  const ended = run()
  return {
    close: () => {
      closing.abort()
      return ended
    },
  }
}
