import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { NodeAPI } from 'node-red'
import { isGuarded } from './guarded-widget'

/** On what Dashboard knows of the page that sent a message; a page cannot send a symbol. */
const loggedIn = Symbol('opened with a login')

interface PageRequest {
  secure?: boolean
}
interface PageAnswer {
  cookie: (name: string, value: string, options: object) => void
}
interface PageSocket {
  id?: string
  handshake?: { address?: string; headers?: { cookie?: string } }
}
/** What Dashboard adds to each message of a page. */
interface PageMessage {
  _client?: { [loggedIn]?: boolean; socketId?: string; socketIp?: string }
}

/** A login of Node-RED's pages, as `settings.js` has it. */
interface HttpNodeAuth {
  user?: unknown
  pass?: unknown
}

/**
 * Marks the messages of pages that were opened with a login. Node-RED asks for name and password where it serves a page, but
 * not at the socket by which Dashboard's pages send: anybody on the network can send there without ever opening the
 * page. So the page gets a cookie with the part of Dashboard that Node-RED serves after the login, and the socket is asked
 * for it. Nothing is stored: the cookie is derived from the hash of the password, and ends with it.
 *
 * Dashboard keeps what a page sends for a widget, its template included, and shows it to pages that are opened later. In the
 * widgets of the operator's pages nothing is kept.
 */
export default (RED: NodeAPI) => {
  const plugin = {
    type: 'node-red-dashboard-2',
    hooks: {
      onSetup: (_config: unknown, request: PageRequest, answer: PageAnswer) => {
        const cookie = cookieOf(RED)
        const options = { httpOnly: true, sameSite: 'strict', path: '/', secure: request.secure === true }
        if (cookie) answer.cookie(cookie.name, cookie.value, options)
      },
      onAddConnectionCredentials: (socket: PageSocket, message: PageMessage) => {
        message._client = { ...message._client, [loggedIn]: hasCookie(RED, socket) }
        return message
      },
      /** Of templates. @returns undefined: Dashboard neither keeps it nor passes it on */
      onSend: (socket: PageSocket, id: string, message: unknown) => {
        if (!isGuarded(RED, id)) return message
        const _client = { socketId: socket.id, socketIp: socket.handshake?.address }
        RED.nodes.getNode(id).send({
          ...orderIn(message),
          _client: { ..._client, [loggedIn]: hasCookie(RED, socket) },
        })
        return undefined
      },
      /** Of buttons. */
      onAction: (_socket: PageSocket, id: string, message: unknown) =>
        isGuarded(RED, id) ? orderIn(message) : message,
      /** Of inputs, which all screens show then. */
      onChange: (socket: PageSocket, id: string, message: unknown) =>
        isGuarded(RED, id) && !hasCookie(RED, socket) ? undefined : message,
    },
  }
  RED.plugins.registerPlugin('vision-operator-login', plugin)
}

/** Whether a message comes from a page of Dashboard that was opened with a login. */
export const isFromLogin = (msg: object): boolean => (msg as PageMessage)._client?.[loggedIn] === true

/** What a page sent, without that which changes the widget itself. */
function orderIn(message: unknown): object {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return { payload: message }
  const order = { ...message } as { ui_update?: unknown }
  delete order.ui_update
  return order
}

function cookieOf(RED: NodeAPI): { name: string; value: string } | undefined {
  const { httpNodeAuth, userDir = '' } = RED.settings as { httpNodeAuth?: HttpNodeAuth; userDir?: string }
  const { user, pass } = httpNodeAuth ?? {}
  if (typeof pass !== 'string' || pass === '') return undefined
  // Cookies know no ports: two Node-REDs on one computer must not take each other's.
  const name = createHash('sha256').update(userDir).digest('hex').slice(0, 12)
  const value = createHmac('sha256', pass)
    .update(`${String(user)} ${userDir}`)
    .digest('hex')
  return { name: `vision-operator-${name}`, value }
}

function hasCookie(RED: NodeAPI, { handshake }: PageSocket): boolean {
  const cookie = cookieOf(RED)
  if (!cookie) return false
  const prefix = `${cookie.name}=`
  const sent = (handshake?.headers?.cookie ?? '').split('; ').find((each) => each.startsWith(prefix))
  const [given, wanted] = [Buffer.from(sent?.slice(prefix.length) ?? ''), Buffer.from(cookie.value)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
