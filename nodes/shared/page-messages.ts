import type { NodeAPI } from 'node-red'
import { nodeError } from './sentences'

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

/** Whether *operator permission* let this message of a page pass, and nobody else's page has been put into it since. */
export function isPermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return from?.isPermitted === true && (!client || client.socketId === from.socketId)
}

/** Whether a message came from a page and nobody has looked at who sent it. */
export function isUnpermitted(msg: object): boolean {
  const { [origin]: from, _client: client } = msg as PageMessage
  return (from !== undefined || (client !== undefined && client !== null)) && !isPermitted(msg)
}

/** The error for a message that changes something and has not passed *operator permission*. */
export const notPermitted = () => nodeError('FORBIDDEN', 'page-not-permitted')

/** Whether this Node-RED requires a login to open a page of its flows. */
export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)
