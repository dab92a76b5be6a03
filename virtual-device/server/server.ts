import type { Socket } from 'node:net'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { operation } from '../../lib/contract'
import { Answers, type RouteGeneric, Faults } from './answering'
import { addArmRoute, addCellRoutes, addPageRoutes, addPortsRoute, addScenarioRoute } from './virtual-routes'
import { wrongType } from '../requests/decode-body'
import type { Device } from '../device/device'
import { explorer } from '../explorer/explorer'
import { frontDoor, UploadsUnderWay } from './front-door'
import type { Glance } from '../page/now'
import { Refusal, refusalBody, cut } from '../values'
import { packageVersion } from '../../lib/files/package-version'
import { routes, type Route, routesV1 } from './routes'

/** The HTTP server of a device, not yet listening. @param glance draws what a camera sees */
export function server(device: Device, glance: Glance): FastifyInstance {
  const faults = new Faults(device)
  const uploads = new UploadsUnderWay()
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

/** The request is not valid HTTP, or its headers are too long or too slow. */
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
