import { createHash, randomUUID } from 'node:crypto'
import type { Command } from '../../../lib/fleet/messages'
import type { ReadPayload } from '../../../lib/fleet/sparkplug/payload'
import type { SparkplugWrite } from '../../../lib/fleet/sparkplug/metrics'

/** Ids of commands from hosts begin with it; no centre is told of them. */
const prefix = 'sparkplug:'

export const isOfHost = (id: string): boolean => id.startsWith(prefix)

/** The commands that a message of a host makes. The same message, with the same time in it, makes the same ids. */
export function hostCommands(
  device: string,
  writes: readonly SparkplugWrite[],
  payload: Buffer,
  { timestamp }: ReadPayload,
): Command[] {
  const once = timestamp === undefined ? randomUUID() : ''
  const hash = createHash('sha256').update(`${device}\0${once}`).update(payload).digest('hex').slice(0, 40)
  return writes.map((write, index) => ({
    ...{ v: 1, id: `${prefix}${hash}.${index}`, from: 'sparkplug', device },
    ...write,
  }))
}
