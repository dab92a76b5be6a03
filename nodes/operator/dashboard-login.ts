import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { NodeAPI } from 'node-red'
import { markOrigin, pagesNeedLogin, type PageOrigin } from '../shared/permission'
import { say } from '../shared/sentences'
import { shown } from '../shared/shown'
import { flowNodes, isGuarded } from './dashboard-pages'

interface PageRequest {
  secure?: boolean
}
interface PageAnswer {
  cookie: (name: string, value: string, options: object) => void
}

type Next = (error?: Error) => void

/** Socket.io. */
interface PageSocket {
  id?: string
  handshake?: { address?: string; headers?: { cookie?: string } }
  use: (check: (packet: unknown[], next: Next) => void) => void
  disconnect: (isClosed: boolean) => void
}
interface PageServer {
  use: (check: (socket: PageSocket, next: Next) => void) => void
  sockets?: { sockets?: ReadonlyMap<string, PageSocket> }
}
/** Dashboard's node *ui-base*. */
interface DashboardBase {
  uiShared?: { ioServer?: PageServer | null } | null
  ui?: { widgets?: ReadonlyMap<string, unknown> }
}

/** In `settings.js`. */
interface HttpNodeAuth {
  user?: unknown
  pass?: unknown
}

/** Milliseconds between log lines about refusals. */
const pause = 60_000
/** Milliseconds from the start of the flows until Dashboard exists. */
const patience = 60_000

/**
 * Guards Dashboard's socket, and marks the messages of its pages. Node-RED asks for a login where it serves a page, but not
 * at the socket: anybody on the network can send there. So the page gets a cookie with the part of Dashboard that is served
 * after the login, and the socket requires it when it opens and with each event. Nothing is stored: the cookie is derived
 * from the hash of the password. Without a login in Node-RED there is no cookie: pages stay usable, and nodes that change
 * something refuse their messages.
 *
 * Dashboard looks up an event's id among all nodes of all flows: only those of its widgets pass.
 *
 * Dashboard keeps what a page sends for a widget, template included, and shows it to later viewers; not so in the
 * operator's widgets.
 */
export default (RED: NodeAPI) => {
  guardAtStart(RED)
  const originOf = ({ id, handshake }: PageSocket): PageOrigin => ({
    socketId: id,
    isLoggedIn: hasCookie(RED, handshake?.headers?.cookie),
  })
  const plugin = {
    type: 'node-red-dashboard-2',
    hooks: {
      onSetup: (_config: unknown, request: PageRequest, answer: PageAnswer) => {
        const cookie = cookieOf(RED)
        const options = { httpOnly: true, sameSite: 'strict', path: '/', secure: request.secure === true }
        if (cookie) answer.cookie(cookie.name, cookie.value, options)
      },
      onAddConnectionCredentials: (socket: PageSocket, message: object) => {
        markOrigin(message, originOf(socket))
        return message
      },
      /** Templates. @returns undefined: Dashboard neither keeps nor forwards it */
      onSend: (socket: PageSocket, id: string, message: unknown) => {
        markOrigin(message, originOf(socket))
        if (!isGuarded(RED, id)) return message
        const _client = { socketId: socket.id, socketIp: socket.handshake?.address }
        const order = { ...orderIn(message), _client }
        markOrigin(order, originOf(socket))
        RED.nodes.getNode(id).send(order)
        return undefined
      },
      onAction: (socket: PageSocket, id: string, message: unknown) => {
        const order = isGuarded(RED, id) ? orderIn(message) : message
        markOrigin(order, originOf(socket))
        return order
      },
      /** Inputs, shown on all screens; Dashboard keeps this message for the widget. */
      onChange: (socket: PageSocket, id: string, message: object) => {
        const from = originOf(socket)
        if (isGuarded(RED, id) && !from.isLoggedIn) return undefined
        const order = { ...message }
        markOrigin(order, from)
        return order
      },
    },
  }
  RED.plugins.registerPlugin('vision-operator-login', plugin)
}

/** By the events of a Node-RED, the API that was given last: one set of listeners, however often its server is started. */
const starting = new WeakMap<NodeAPI['events'], { RED: NodeAPI }>()

/** Before the first event: Dashboard creates the socket while the flows start, and emits no event for it. */
function guardAtStart(given: NodeAPI): void {
  const known = starting.get(given.events)
  if (known) {
    known.RED = given
    return
  }
  const runtime = { RED: given }
  starting.set(given.events, runtime)
  let until = 0
  const check = () => {
    // It lives as long as Node-RED.
    if (!guardSocket(runtime.RED) && performance.now() < until) setImmediate(check)
  }
  given.events.on('flows:starting', () => {
    until = flowNodes(runtime.RED).some(isBase) ? performance.now() + patience : 0
    check()
  })
  given.events.on('flows:started', () => {
    until = 0
    guardSocket(runtime.RED)
  })
}

const guarded = new WeakSet<PageServer>()

/** @returns whether Dashboard has its socket */
function guardSocket(RED: NodeAPI): boolean {
  const server = basesOf(RED)
    .map(({ uiShared }) => uiShared?.ioServer)
    .find(Boolean)
  if (!server) return false
  if (guarded.has(server)) return true
  guarded.add(server)
  const refused = refusals(RED)
  const mayCome = ({ handshake }: PageSocket) =>
    !pagesNeedLogin(RED) || hasCookie(RED, handshake?.headers?.cookie)
  const guardEvents = (socket: PageSocket) =>
    socket.use((packet, next) => {
      const [event, id, ...rest] = packet
      if (!mayCome(socket) || !isEvent(RED, event, id)) {
        refused(socket, event)
        return
      }
      markOrigin(rest, { socketId: socket.id, isLoggedIn: hasCookie(RED, socket.handshake?.headers?.cookie) })
      next()
    })
  server.use((socket, next) => {
    if (!mayCome(socket)) {
      refused(socket, 'connect')
      next(new Error('FORBIDDEN'))
      return
    }
    guardEvents(socket)
    next()
  })
  for (const socket of server.sockets?.sockets?.values() ?? [])
    if (mayCome(socket)) guardEvents(socket)
    else socket.disconnect(true)
  return true
}

const isBase = ({ type }: { type: string }) => type === 'ui-base'

const basesOf = (RED: NodeAPI): DashboardBase[] =>
  flowNodes(RED)
    .filter(isBase)
    .flatMap(({ id }) => (RED.nodes.getNode(id) as DashboardBase | null) ?? [])

/** Other packages check their own events. */
function isEvent(RED: NodeAPI, event: unknown, id: unknown): boolean {
  if (typeof event !== 'string') return false
  if (!/^(widget|ui)-/.test(event)) return true
  if (typeof id !== 'string') return false
  // Parts of every page, without a node.
  if (event === 'widget-load' && /^ui-[\w-]{1,60}$/.test(id)) return true
  return basesOf(RED).some(({ ui }) => ui?.widgets?.has(id) === true)
}

/** At most one line a minute. */
function refusals(RED: NodeAPI): (socket: PageSocket, event: unknown) => void {
  let lastReport = -Infinity
  let count = 0
  return ({ handshake }, event) => {
    count++
    if (performance.now() - lastReport < pause) return
    lastReport = performance.now()
    const from = shown(handshake?.address ?? '')
    RED.log.warn(say('dashboard-refused', { count, event: shown(event), from }))
    count = 0
  }
}

/** Without changes of the widget itself. */
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
  // Cookies ignore ports: two Node-REDs on one computer need different names.
  const name = createHash('sha256').update(userDir).digest('hex').slice(0, 12)
  const value = createHmac('sha256', pass)
    .update(`${String(user)} ${userDir}`)
    .digest('hex')
  return { name: `vision-operator-${name}`, value }
}

/** @param cookies header of the request */
function hasCookie(RED: NodeAPI, cookies = ''): boolean {
  const cookie = cookieOf(RED)
  if (!cookie) return false
  const prefix = `${cookie.name}=`
  const sent = cookies.split('; ').find((each) => each.startsWith(prefix))
  const [received, expected] = [Buffer.from(sent?.slice(prefix.length) ?? ''), Buffer.from(cookie.value)]
  return received.length === expected.length && timingSafeEqual(received, expected)
}
