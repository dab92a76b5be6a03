import type { LogEntry } from '../../../lib/contract'
import { deviceApi } from '../../device-api'
import type { TreeBranch, TreeEntry } from '../tree/entry'

/** Seconds between two updates. */
const every = { list: 10, lines: 3 }
/** Lines shown. */
const newest = 30

export const logs = (device: string): TreeBranch => ({
  every: every.list,
  load: async () =>
    (await deviceApi(device).read('listLogs', {}, { fresh: true })).map(({ name, date }) => ({
      key: name,
      label: name,
      about: timeText(date),
      icon: 'file-text-o',
      branch: lines(device, name),
      nodes: [{ type: 'vision-log-watch', fields: { device, log: name, logType: 'str' } }],
    })),
})

/** The newest lines of a log, newest first. */
const lines = (device: string, log: string): TreeBranch => ({
  every: every.lines,
  load: async () => {
    const read = await deviceApi(device).read('getLog', { log, limit: newest }, { fresh: true })
    const seen = new Map<string, number>()
    return read.log
      .map((line) => {
        // The same line may be written twice at the same moment.
        const text = `${line.timestamp} ${line.component} ${line.message}`
        const count = (seen.get(text) ?? 0) + 1
        seen.set(text, count)
        return entry(`${text} ${count}`, line)
      })
      .reverse()
  },
})

const entry = (key: string, { timestamp, level, component, message }: LogEntry): TreeEntry => ({
  key,
  label: message,
  about: `${timeText(timestamp)} ${level} ${component}`,
  ...(looks[level] ?? { tone: 'quiet' }),
  isText: true,
})

const bad = { tone: 'bad', icon: 'times-circle' } as const
const looks: Partial<Record<string, Pick<TreeEntry, 'tone' | 'icon'>>> = {
  WARN: { tone: 'soon', icon: 'exclamation-triangle' },
  ERROR: bad,
  FATAL: bad,
}

/** Time of day; with the date if it is another day. */
function timeText(seconds: number): string {
  const time = new Date(seconds * 1000)
  const isToday = time.toDateString() === new Date().toDateString()
  return isToday ? time.toLocaleTimeString(RED.i18n.lang()) : time.toLocaleString(RED.i18n.lang())
}
