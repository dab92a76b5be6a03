import type { NodeMessage } from 'node-red'

/** Begins the ids of messages that come from a command. A function node that builds a new message keeps the id. */
const prefix = 'fleet-'

/** What tells that a message comes from a command of a centre. */
export interface CommandMark {
  /** Id of the command. */
  command: string
  flow: string
  from: string
  /** By which the flow hands back its result. */
  token: string
}

/** A message that comes from a command: marked twice, so that neither a new message nor a split loses it. */
export const commandedMessage = (fleet: CommandMark, properties: Record<string, unknown>) => ({
  ...properties,
  fleet,
  _msgid: `${prefix}${fleet.token.slice(0, 16)}`,
})

/** Whether a message comes from a command of a centre, directly or through other nodes. */
export function isCommanded(msg: NodeMessage): boolean {
  const { fleet, _msgid } = msg as { fleet?: unknown; _msgid?: unknown }
  if (typeof _msgid === 'string' && _msgid.startsWith(prefix)) return true
  return typeof fleet === 'object' && fleet !== null && 'command' in fleet
}
