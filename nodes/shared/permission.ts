import { AsyncLocalStorage } from 'node:async_hooks'
import type { NodeAPI, NodeMessage } from 'node-red'
import type { FarReachingId } from '../../lib/contract'
import { nodeError } from './sentences'

/** Ids of commands begin with this; a function node that creates a new message keeps the id. */
const prefix = 'fleet-'

export interface CommandMark {
  command: string
  flow: string
  from: string
  /** For returning the result; only the original message has it. */
  token: string
}

/** Code that runs because of an open command. */
const running = new AsyncLocalStorage<{ mark: Omit<CommandMark, 'token'>; isOpen: boolean }>()

let open = 0

/** Until ended, every message sent because of the command is marked, new ones too. @returns ends it */
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

/** Marked twice, so that neither a new message nor a split loses the mark. */
export const commandedMessage = (fleet: CommandMark, properties: Record<string, unknown>) => ({
  ...properties,
  fleet,
  _msgid: `${prefix}${fleet.token.slice(0, 16)}`,
})

/** Directly, or through other nodes. */
export function isCommanded(msg: NodeMessage): boolean {
  const { fleet, _msgid } = msg as { fleet?: unknown; _msgid?: unknown }
  if (typeof _msgid === 'string' && _msgid.startsWith(prefix)) return true
  return typeof fleet === 'object' && fleet !== null && 'command' in fleet
}

/** ` Stop` is `stop`. */
export const normalizedCommand = (value: unknown): string =>
  typeof value === 'string' ? value.trim().toLowerCase() : ''

/**
 * Dashboard's socket is open to everybody on the network: its messages are marked with their origin, and *operator
 * permission* adds that it let them pass. The mark is the value of a symbol: JSON from a browser has none, Node-RED's copies
 * keep it. It counts only for the socket that sent the message.
 */
const origin = Symbol('page of Dashboard')

export interface PageOrigin {
  socketId: string | undefined
  /** The page was opened with a login. */
  isLoggedIn: boolean
  isPermitted?: true
}

interface PageMessage {
  [origin]?: PageOrigin
  /** Added by Dashboard unless *Include client data* is off. */
  _client?: { socketId?: unknown } | null
}

/** @param sent one message, a list for several outputs, or a plain value, which is not marked */
export function markOrigin(sent: unknown, from: PageOrigin): void {
  if (Array.isArray(sent)) for (const each of sent) markOrigin(each, from)
  else if (typeof sent === 'object' && sent !== null && Object.isExtensible(sent))
    (sent as PageMessage)[origin] = from
}

export const isFromLogin = (msg: object): boolean => (msg as PageMessage)[origin]?.isLoggedIn === true

/** *Operator permission* lets a message pass, for all pages. */
export function permit(msg: object): void {
  const page = msg as PageMessage
  const from = page[origin]
  if (from) page[origin] = { ...from, isPermitted: true }
  // Showing the message again shows it on all screens.
  delete page._client
}

/** Passed by *operator permission*; the page has not been replaced since. */
export function isPermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return from?.isPermitted === true && (!client || client.socketId === from.socketId)
}

/** From a page, unchecked. */
export function isUnpermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return (from !== undefined || (client !== undefined && client !== null)) && !isPermitted(msg)
}

export const notPermitted = () => nodeError('FORBIDDEN', 'page-not-permitted')

export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)

/** Compared with the contract when compiling; loading it would slow the start. */
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

/** Reads, or takes a picture and finds something in it. */
export const onlyReads = (service: string): boolean =>
  /^((get|detect|compute|measure|check)_\w+|detect|acquisition_trigger)$/.test(service)

export const mustBeConfirmed = (operation: string): boolean => Object.hasOwn(farReaching, operation)
