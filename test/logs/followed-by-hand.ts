import type { logs } from '../../lib'
import { VisionError } from '../../lib/client/vision-error'
import type { LogEntry } from '../../lib/contract'
import { followLogs } from '../../lib/logs/follow'

export const entry = (number: number, timestamp = number): LogEntry => ({
  level: 'INFO',
  component: 'dev_camera',
  message: `entry ${number}`,
  timestamp,
})
export const numbered = (from: number, to: number, timestamp?: number) =>
  Array.from({ length: to - from }, (_, index) => entry(from + index, timestamp))

/** Follows a log that a test writes; reads only when the test says so. */
export function follow(first: LogEntry[], options: Partial<logs.FollowOptions> = {}) {
  const state = {
    entries: first,
    isAway: false,
    isMissing: false,
    /** The limit counts lines of text. */
    countsText: false,
    limits: [] as number[],
    longest: Infinity,
    /** Called when an answer is too long to be read. */
    refused: (() => undefined) as () => void,
    awayAbove: Infinity,
  }
  const came: (string | number)[] = []
  const states: string[] = []
  let next: (() => void) | undefined
  let waits: (() => void) | undefined
  const shown = (limit: number) => {
    if (!state.countsText) return state.entries.slice(-limit)
    let lines = 0
    const isBeyond = ({ message }: LogEntry) => (lines += message.split('\n').length) > limit
    return state.entries.slice(state.entries.findLastIndex(isBeyond) + 1)
  }
  const info = () => ({
    name: 'a.log',
    date: state.entries.length,
    ...(state.entries.length > 0 && { size: 100 + state.entries.length }),
  })
  const follower = followLogs(
    {
      source: {
        listLogs: () => Promise.resolve([info()]),
        getLog: ({ limit }) => {
          if (state.isAway || limit > state.awayAbove)
            throw new VisionError({ code: 'UNREACHABLE', key: 'unreachable' })
          state.limits.push(limit)
          if (state.isMissing) throw new VisionError({ code: 'NOT_FOUND', key: 'not-found' })
          if (limit > state.longest) {
            state.refused()
            throw new VisionError({ code: 'BAD_REPLY', key: 'too-long-reply' })
          }
          return Promise.resolve({ ...info(), log: shown(limit) })
        },
      },
      log: 'a.log',
      wait: (_milliseconds, signal) =>
        new Promise((resolve) => {
          next = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
          waits?.()
        }),
      ...options,
    },
    {
      onEntries: (lines) => void came.push(...lines.map(({ message }) => Number(message.slice(6)))),
      onGap: ({ reason }) => void came.push(reason),
      onState: ({ doing }) => states.push(doing),
    },
  )
  const looked = () =>
    new Promise<void>((resolve) => {
      waits = resolve
      if (next) resolve()
    })
  return {
    state,
    came,
    states,
    follower,
    /** One more read, with the log as it is now. @returns what was delivered, and the lines that were requested */
    look: async (entries?: LogEntry[]) => {
      await looked()
      if (entries) state.entries = entries
      const resume = next
      next = undefined
      state.limits = []
      came.length = 0
      resume?.()
      await looked()
      return { came: [...came], limits: state.limits }
    },
  }
}

export const numbersFrom = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
