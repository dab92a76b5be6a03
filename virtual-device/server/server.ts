/** HTTP: routes of the contract and of the virtual extras, faults on request, ports. In: sockets. Out: answers. */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import fastify from 'fastify'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify'
import { basePath, type Method, operation, type OperationId, operationIds } from '../../lib/contract'
import { packageVersion } from '../../lib/files/package-version'
import { startInterval } from '../../lib/kernel/timers'
import type { Device } from '../device/device'
import { explorer } from '../explorer/explorer'
import { globalNodes, pipelineNodes } from '../handlers/pipeline-nodes'
import type { Glance } from '../page/now'
import { wrongType } from '../handlers/read-input'
import { cut, Refusal, refusalBody } from '../values'
import {
  answering,
  type Answering,
  Answers,
  Faults,
  ofApi,
  resetConnection,
  type RouteGeneric,
} from './answering'
import { addArmRoute, addCellRoutes, addPageRoutes, addPortsRoute, addScenarioRoute } from './virtual-routes'

/** Not yet listening. @param glance draws a camera's view */
export function server(device: Device, glance: Glance): FastifyInstance {
  const faults = new Faults(device)
  const uploads = new RunningUploads()
  const answers = new Answers(device, faults)
  const refuse = (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) =>
    answers.refuse(request, reply, error instanceof Refusal ? error : refusalOf(error, device))

  const app = fastify({
    bodyLimit: device.options.maxBodyBytes,
    clientErrorHandler: refuseNoHttp,
    forceCloseConnections: true,
    frameworkErrors: refuse,
    routerOptions: { maxParamLength: 16 * 1024 },
    schemaController: { compilersFactory: { buildSerializer: noSchemas, buildValidator: noSchemas } },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler(refuse)
  app.addHook('onRequest', frontDoor(device, faults, answers, uploads))
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const message = `there is no resource ${cut(path, 200)} for ${request.method}`
    answers.refuse(request, reply, new Refusal(404, message))
  })
  app.options('/api/*', (_request, reply) => reply.code(204).headers(preflight).send())
  const all = [...routes(device, answers), ...routesV1(device, answers)]
  const takesFile = ({ id }: Route) => operation(id).body?.encoding === 'multipart'
  for (const each of all) if (!takesFile(each)) app.route<RouteGeneric>(each)
  // The plugin costs time for every request in its scope.
  app.register((forms, _options, done) => {
    forms.register(multipart)
    for (const each of all) if (takesFile(each)) forms.route<RouteGeneric>(each)
    done()
  })
  explorer(app, { version: packageVersion(), variant: device.variant })
  addScenarioRoute(app, device)
  addCellRoutes(app, device)
  addPortsRoute(app, device)
  addArmRoute(app, device)
  addPageRoutes(app, device, glance)
  device.onScenario(() => {
    if (!device.scenario.offline) return
    app.server.closeIdleConnections()
    uploads.cut()
  })
  return app
}

/** The contract checks bodies and answers. Without these, fastify would load compilers of its own for every device. */
function noSchemas(): never {
  throw new Error('no route has a schema of fastify')
}

const preflight = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PUT, POST, DELETE',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
}

function refusalOf(error: FastifyError, device: Device): Refusal {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal(413, `the body is longer than ${device.options.maxBodyBytes} bytes`)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return wrongType('given')
    case 'FST_ERR_BAD_URL':
      return new Refusal(400, 'the address is not valid')
  }
  const { statusCode = 500 } = error
  if (statusCode >= 500) device.note('ERROR', `internal error: ${error.message}`)
  return new Refusal(statusCode, error.message)
}

function refuseNoHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason] = noHttp[error.code ?? ''] ?? [400, 'Bad Request']
  const body = JSON.stringify(
    refusalBody(new Refusal(status, `not a valid HTTP request (${error.code ?? ''})`)),
  )
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const noHttp: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

function frontDoor(
  device: Device,
  faults: Faults,
  answers: Answers,
  uploads: RunningUploads,
): onRequestHookHandler {
  return (request, reply, done) => {
    const { raw } = request
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = raw.headers
    if (length !== '0' || chunked !== undefined) {
      onStalledBody(raw, device.options.bodyTimeout, () => {
        answers.refuse(request, reply, new Refusal(408, 'the body did not arrive'))
        raw.socket.destroySoon()
      })
      if (ofApi(request.url)) uploads.follow(request, reply)
    }
    const reception = ofApi(request.url) ? faults.receive() : 'handle'
    if (reception === 'handle') done()
    else if (reception === 'reset') resetConnection(request, reply)
    else if (reception === 'starting')
      answers.refuse(request, reply, new Refusal(502, 'the device is starting'))
    else {
      reply.header('retry-after', reception.retryAfter)
      answers.refuse(request, reply, new Refusal(429, 'request frequency too high'))
    }
  }
}

/** Calls back if a body stops arriving: a slow sender must not hold resources. @param seconds without a byte */
function onStalledBody(request: IncomingMessage, seconds: number, stalled: () => void): void {
  const { socket } = request
  let received = socket.bytesRead
  const timer = startInterval(() => {
    if (request.complete) stop()
    else if (socket.bytesRead > received) received = socket.bytesRead
    else {
      stop()
      stalled()
    }
  }, seconds * 1000).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop).once('close', stop)
}

/** Connections with an incoming body, or waiting for its answer. */
class RunningUploads {
  readonly #sockets = new Set<Socket>()

  follow(request: FastifyRequest, reply: FastifyReply): void {
    const { socket } = request.raw
    this.#sockets.add(socket)
    reply.raw.once('close', () => this.#sockets.delete(socket))
  }

  /** Closes them in the middle, so that the clients see a reset. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }
}

interface Route {
  id: OperationId
  method: Method
  url: string
  handler: Answering
}

/** A route for each operation of the contract that this variant has. */
const routes = (device: Device, answers: Answers): Route[] =>
  operationsOf(device).map((id) => route(id, basePath, operation(id).path, answering(id, device, answers)))

const operationsOf = ({ variant }: Device): OperationId[] =>
  operationIds.filter((id) => operation(id).variants?.includes(variant) ?? true)

/** @param path in the contract's notation, `/nodes/{node}` */
const route = (id: OperationId, base: string, path: string, handler: Answering): Route => ({
  id,
  method: operation(id).method,
  url: base + path.replace(/\{(\w+)\}/g, ':$1'),
  handler,
})

const base = '/api/v1'

/** January 1, 2022: the release that deprecated it. */
const deprecation = { deprecation: '@1640995200', link: '</api/v2>; rel="successor-version"' }

/** Operations on global nodes that are answered together with those on pipeline nodes. */
const globalTwins: Partial<Record<OperationId, OperationId>> = {
  getNode: 'getGlobalNode',
  listServices: 'listGlobalServices',
  getService: 'getGlobalService',
  callService: 'callGlobalService',
  getNodeStatus: 'getGlobalNodeStatus',
}

const pipelinePath = '/pipelines/{pipeline}/nodes'

const allNodes = (device: Device) => [
  ...globalNodes.listGlobalNodes(device),
  ...pipelineNodes.listNodes(device, { pipeline: '0' }),
]

/** The deprecated first API version: every node, including those of pipeline 0, directly below `/nodes`. */
const routesV1 = (device: Device, answers: Answers): Route[] =>
  operationsOf(device).flatMap((id) => {
    const { path, beyondSpecification } = operation(id)
    if (beyondSpecification) return []
    if (path.startsWith(pipelinePath))
      return route(
        id,
        base,
        path.replace(pipelinePath, '/nodes'),
        deprecated(nodeAnswering(id, device, answers)),
      )
    if (path.startsWith('/nodes') || path.includes('/pipelines')) return []
    return route(id, base, path, deprecated(answering(id, device, answers)))
  })

function nodeAnswering(id: OperationId, device: Device, answers: Answers): Answering {
  const handle = id === 'listNodes' ? { handle: allNodes } : {}
  const ofPipeline = answering(id, device, answers, { fixed: { pipeline: '0' }, ...handle })
  const twin = globalTwins[id]
  // Some programs request the parameters of every node; database nodes have none.
  const ofGlobal = twin
    ? answering(twin, device, answers)
    : id === 'getParameters' && answering(id, device, answers, { fixed: { pipeline: '0' }, handle: () => [] })
  if (!ofGlobal) return ofPipeline
  return (request, reply) => {
    if (device.global.has(request.params.node ?? '')) ofGlobal(request, reply)
    else ofPipeline(request, reply)
  }
}

const deprecated =
  (handler: Answering): Answering =>
  (request, reply) => {
    reply.headers(deprecation)
    handler(request, reply)
  }
