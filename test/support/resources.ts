import { readdirSync } from 'node:fs'
import RED from 'node-red'

/** How many there are of each kind of thing that this process must give back. */
export type Resources = Record<string, number>

/** Sockets, timers and servers by kind, open files, threads, and who listens to what outlives a deploy. */
export function resources(): Resources {
  const count: Resources = {}
  for (const kind of process.getActiveResourcesInfo()) count[kind] = (count[kind] ?? 0) + 1
  count['open files'] = entries('/proc/self/fd')
  count['threads'] = entries('/proc/self/task')
  const emitters = { process, 'RED.events': RED.events }
  for (const [name, emitter] of Object.entries(emitters))
    for (const event of emitter.eventNames())
      count[`${name} on ${String(event)}`] = emitter.listenerCount(event)
  return count
}

/** 0 where the system does not tell. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}
