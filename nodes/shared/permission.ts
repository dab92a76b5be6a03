import { AsyncLocalStorage } from 'node:async_hooks'
import type { NodeAPI, NodeMessage } from 'node-red'
import type { FarReachingId } from '../../lib/contract'
import { nodeError } from './sentences'

/** Begins the ids of messages that come from a command. A function node that builds a new message keeps the id. */
const prefix = 'fleet-'

/** Marks a message as a command of a centre. */
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
  if (open === 0) RED.hooks.add(hook, markAll)
  open++
  const end = () => {
    command.isOpen = false
    if (--open === 0) RED.hooks.remove(hook)
  }
  try {
    running.run(command, work)
  } catch (error) {
    end()
    throw error
  }
  return end
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

/**
 * Messages that came from a page of Dashboard, and who may change something by them.
 *
 * Dashboard's socket is open to everybody on the network, so each message that arrives there is marked with its origin,
 * and *operator permission* adds that it let the message pass. The mark is the value of a symbol: what arrives from a
 * browser is JSON, which has none, while Node-RED's copies keep it. It counts only for the socket that sent the message.
 */
const origin = Symbol('page of Dashboard')

/** Where a message of a page came from. */
export interface PageOrigin {
  /** Of Dashboard's connection. */
  socketId: string | undefined
  /** Whether the page was opened with a login. */
  isLoggedIn: boolean
  /** Whether *operator permission* let the message pass. */
  isPermitted?: true
}

interface PageMessage {
  [origin]?: PageOrigin
  /** What Dashboard adds, unless *Include client data* is off. */
  _client?: { socketId?: unknown } | null
}

/** Marks what a page sent: a message, a list of them for several outputs, or a plain value, which stays as it is. */
export function markOrigin(sent: unknown, from: PageOrigin): void {
  if (Array.isArray(sent)) for (const each of sent) markOrigin(each, from)
  else if (typeof sent === 'object' && sent !== null && Object.isExtensible(sent))
    (sent as PageMessage)[origin] = from
}

/** Whether a message comes from a page of Dashboard that was opened with a login. */
export const isFromLogin = (msg: object): boolean => (msg as PageMessage)[origin]?.isLoggedIn === true

/** Notes that *operator permission* let a message pass, and makes it one for all pages. */
export function permit(msg: object): void {
  const page = msg as PageMessage
  const from = page[origin]
  if (from) page[origin] = { ...from, isPermitted: true }
  // Whoever shows the message again shows it on all screens.
  delete page._client
}

/** Whether *operator permission* passed this message of a page, and its page has not been replaced since. */
export function isPermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return from?.isPermitted === true && (!client || client.socketId === from.socketId)
}

/** Whether a message came from a page and its sender has not been checked. */
export function isUnpermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return (from !== undefined || (client !== undefined && client !== null)) && !isPermitted(msg)
}

/** The error for a message that changes something and has not passed *operator permission*. */
export const notPermitted = () => nodeError('FORBIDDEN', 'page-not-permitted')

/** Whether this Node-RED requires a login to open a page of its flows. */
export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)

/** The far-reaching operations of the contract, compared when compiling: loading the contract would slow the start. */
export const farReaching = {
  reboot: true,
  rollback: true,
  uploadFirmware: true,
  setNetworkSettings: true,
  setUiLock: true,
  removeUiLock: true,
  restoreBackup: true,
  deletePipeline: true,
  configureUserSpace: true,
} satisfies Record<FarReachingId, true>

/** Whether a service leaves the device as it was: it reads, or takes a picture and finds something in it. */
export const onlyReads = (service: string): boolean =>
  /^((get|detect|compute|measure|check)_\w+|detect|acquisition_trigger)$/.test(service)

export const mustBeConfirmed = (operation: string): boolean => Object.hasOwn(farReaching, operation)
