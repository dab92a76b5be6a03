import type { LogLevel } from '../module'

interface Chatted {
  log: string
  component: string
  level: LogLevel
  message: string
  /** Seconds ago. */
  age: number
}

/** Most entries at a time: a log keeps no more. */
const most = 10_000

/** Messages of running modules, without the prefix of their names. */
const lines = [
  ['camera.log', 'camera', 'DEBUG', 'exposure adapted'],
  ['stereo.log', 'stereomatching', 'INFO', 'disparity image computed'],
  ['camera.log', 'camera', 'DEBUG', 'exposure adapted'],
  ['stereo.log', 'stereomatching', 'WARN', 'few matches in the left half of the image'],
  ['camera.log', 'camera', 'INFO', 'white balance adapted'],
  ['stereo.log', 'stereomatching', 'INFO', 'disparity image computed'],
  ['camera.log', 'camera', 'ERROR', 'image incomplete, frame dropped'],
] as const satisfies [log: string, component: string, level: LogLevel, message: string][]

/** Automatic entries, evenly distributed over the time since the last call. */
export function chatter(prefix: string) {
  let said = 0
  let until: number | undefined

  return (perSecond: number, now: number): Chatted[] => {
    const since = until ?? now
    const count = Math.min(most, Math.floor((now - since) * perSecond))
    // The remaining time counts for the next call.
    until = perSecond > 0 && count < most ? since + count / perSecond : now
    return Array.from({ length: count }, (_, index) => {
      const [log, component, level, message] = lines[said++ % lines.length] ?? lines[0]
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
