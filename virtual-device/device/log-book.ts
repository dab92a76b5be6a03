import type { Log, LogEntry, LogInfo } from '../../lib/contract'
import type { LogLevel } from '../module'
import type { Scenario } from '../scenario'
import { cut } from '../values'

type LogSettings = Pick<Scenario, 'log_chatter' | 'log_keeps' | 'log_rotation' | 'missing_logs'>

interface LogFile {
  date: number
  /** Size of the text form. */
  bytes: number
  entries: LogEntry[]
}

/** The logs of a device, in memory, each of bounded length. */
export class LogBook {
  private readonly files: Map<string, LogFile>
  private readonly chat: ReturnType<typeof chatter>

  /** @param now the device's time, seconds since 1970 @param clock monotonic seconds */
  constructor(
    names: readonly string[],
    private readonly now: () => number,
    private readonly clock: () => number,
    private readonly settings: () => LogSettings,
    nodePrefix: string,
  ) {
    this.chat = chatter(nodePrefix)
    this.files = new Map(names.map((name) => [name, { date: now(), bytes: 0, entries: [] }]))
  }

  /** Nothing is written to a log that the device does not have. */
  write(log: string, component: string, level: LogLevel, message: string, timestamp = this.now()): void {
    const file = this.files.get(log)
    if (!file) return
    const entry = { component, level, message: cut(message, 500), timestamp }
    file.entries.push(entry)
    file.date = entry.timestamp
    file.bytes += Buffer.byteLength(line(entry))
    const { log_keeps: most, log_rotation: rotation } = this.settings()
    const { length } = file.entries
    if (length <= most) return
    const gone = file.entries.splice(
      0,
      rotation === 'anew' ? length - 1 : Math.max(length - most, Math.ceil(most / 10)),
    )
    for (const old of gone) file.bytes -= Buffer.byteLength(line(old))
  }

  chatUntilNow(): void {
    for (const { log, component, level, message, age } of this.chat(
      this.settings().log_chatter,
      this.clock(),
    ))
      this.write(log, component, level, message, this.now() - age)
  }

  infos(): LogInfo[] {
    this.chatUntilNow()
    const { missing_logs: missing } = this.settings()
    return [...this.files].filter(([name]) => !missing.includes(name)).map(([name, file]) => info(name, file))
  }

  /** The newest entries, oldest first; undefined if there is no such log. */
  json(name: string, limit: number): Log | undefined {
    const file = this.file(name)
    return file && { ...info(name, file), log: file.entries.slice(-limit) }
  }

  /** The whole log, one entry per line. */
  raw(name: string): string | undefined {
    return this.file(name)?.entries.map(line).join('')
  }

  private file(name: string): LogFile | undefined {
    this.chatUntilNow()
    return this.settings().missing_logs.includes(name) ? undefined : this.files.get(name)
  }
}

/** An empty log has no size, as on a device. */
const info = (name: string, { date, bytes }: LogFile): LogInfo => ({
  name,
  date,
  ...(bytes > 0 && { size: bytes }),
})

const line = ({ timestamp, level, component, message }: LogEntry) =>
  `${new Date(timestamp * 1000).toISOString()} ${level} ${component}: ${message}\n`

interface Chatted {
  log: string
  component: string
  level: LogLevel
  message: string
  /** Seconds ago. */
  age: number
}

const most = 10_000 // entries at a time: a log keeps no more

/** Of running modules, without the prefix of their names. */
const lines = [
  ['camera.log', 'camera', 'DEBUG', 'exposure adapted'],
  ['stereo.log', 'stereomatching', 'INFO', 'disparity image computed'],
  ['camera.log', 'camera', 'DEBUG', 'exposure adapted'],
  ['stereo.log', 'stereomatching', 'WARN', 'few matches in the left half of the image'],
  ['camera.log', 'camera', 'INFO', 'white balance adapted'],
  ['stereo.log', 'stereomatching', 'INFO', 'disparity image computed'],
  ['camera.log', 'camera', 'ERROR', 'image incomplete, frame dropped'],
] as const satisfies [log: string, component: string, level: LogLevel, message: string][]

function chatter(prefix: string) {
  let written = 0
  let until: number | undefined

  return (perSecond: number, now: number): Chatted[] => {
    const since = until ?? now
    const count = Math.min(most, Math.floor((now - since) * perSecond))
    // The remaining time counts for the next call.
    until = perSecond > 0 && count < most ? since + count / perSecond : now
    return Array.from({ length: count }, (_, index) => {
      const [log, component, level, message] = lines[written++ % lines.length] ?? lines[0]
      return {
        log,
        component: prefix + component,
        level,
        message,
        age: now - since - (index + 1) / perSecond,
      }
    })
  }
}
