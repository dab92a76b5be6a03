import { AsyncLocalStorage } from 'node:async_hooks'
import type { NodeAPI, NodeMessage } from 'node-red'

/** Begins the ids of messages that come from a command. A function node that builds a new message keeps the id. */
const prefix = 'fleet-'

/** What tells that a message comes from a command of a centre. */
export interface CommandMark {
  /** Id of the command. */
  command: string
  flow: string
  from: string
  /** By which the flow hands back its result; only its own message has it. */
  token: string
}

/** What runs because of a command, as long as that is under way. */
const running = new AsyncLocalStorage<{ mark: Omit<CommandMark, 'token'>; isOpen: boolean }>()
let open = 0

/**
 * Does what a command has begun: until it is ended, each message that is sent because of it gets the mark, also one that a
 * node has built anew. @returns ends it
 */
export function withinCommand(
  RED: NodeAPI,
  { command: id, flow, from }: CommandMark,
  work: () => void,
): () => void {
  const command = { mark: { command: id, flow, from }, isOpen: true }
  if (open++ === 0) RED.hooks.add(hook, markAll)
  running.run(command, work)
  return () => {
    command.isOpen = false
    if (--open === 0) RED.hooks.remove(hook)
  }
}

const hook = 'onSend.vision-commands'

function markAll(events: readonly { msg: NodeMessage & { fleet?: unknown } }[]): void {
  const command = running.getStore()
  if (command?.isOpen !== true) return
  for (const { msg } of events) if (!isCommanded(msg)) msg.fleet = command.mark
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

/** The word of a command in a message, as all nodes read it: ` Stop` is `stop`. */
export const commandWord = (given: unknown): string =>
  typeof given === 'string' ? given.trim().toLowerCase() : ''
