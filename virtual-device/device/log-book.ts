import type { Log, LogEntry, LogInfo } from '../../lib/contract'
import type { LogLevel } from '../module'
import { cut } from './shown'

/** Entries that a log keeps; the oldest tenth goes when there are more. */
const mostEntries = 10_000

interface LogFile {
  date: number
  /** Size of the text form. */
  bytes: number
  entries: LogEntry[]
}

/** The logs of a device, in memory, each of bounded length. */
export class LogBook {
  private readonly files: Map<string, LogFile>

  /** @param now the device's time, seconds since 1970 */
  constructor(
    names: readonly string[],
    private readonly now: () => number,
  ) {
    this.files = new Map(names.map((name) => [name, { date: now(), bytes: 0, entries: [] }]))
  }

  /** A log that the device does not have takes nothing. */
  write(log: string, component: string, level: LogLevel, message: string): void {
    const file = this.files.get(log)
    if (!file) return
    const entry = { component, level, message: cut(message, 500), timestamp: this.now() }
    file.entries.push(entry)
    file.date = entry.timestamp
    file.bytes += Buffer.byteLength(line(entry))
    if (file.entries.length <= mostEntries) return
    const gone = file.entries.splice(0, mostEntries / 10)
    for (const old of gone) file.bytes -= Buffer.byteLength(line(old))
  }

  infos(): LogInfo[] {
    return [...this.files].map(([name, file]) => info(name, file))
  }

  /** The newest entries, oldest first; undefined where there is no such log. */
  json(name: string, limit: number): Log | undefined {
    const file = this.files.get(name)
    return file && { ...info(name, file), log: file.entries.slice(-limit) }
  }

  /** The whole log, an entry a line. */
  raw(name: string): string | undefined {
    return this.files.get(name)?.entries.map(line).join('')
  }
}

/** The size of an empty log is absent, as on a device. */
const info = (name: string, { date, bytes }: LogFile): LogInfo => ({
  name,
  date,
  ...(bytes > 0 && { size: bytes }),
})

const line = ({ timestamp, level, component, message }: LogEntry) =>
  `${new Date(timestamp * 1000).toISOString()} ${level} ${component}: ${message}\n`
