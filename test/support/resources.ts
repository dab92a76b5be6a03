import { readdirSync } from 'node:fs'
import RED from 'node-red'

/** By kind. */
export type Resources = Record<string, number>

/** Sockets, timers, servers, open files, threads, listeners. */
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

/** 0 if unknown. */
function entries(folder: string): number {
  try {
    return readdirSync(folder).length
  } catch {
    return 0
  }
}
