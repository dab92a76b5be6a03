import multipart from '@fastify/multipart'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { Answers, resetConnection } from './answer'
import type { Device } from './device'
import { explorer } from './explorer/explorer'
import { Faults } from './faults'
import { Refusal } from './refusal'
import { packageVersion } from './package-version'
import { addRoutes } from './routes'
import { addRoutesV1 } from './routes-v1'
import { addScenarioRoute } from './scenario-route'
import { cut } from './shown'

/** The HTTP server of a device, not listening yet. */
export function server(device: Device): FastifyInstance {
  const faults = new Faults(device)
  const answers = new Answers(device, faults)
  const refuse = (error: FastifyError | Refusal, request: FastifyRequest, reply: FastifyReply) =>
    answers.refuse(request, reply, error instanceof Refusal ? error : refusalOf(error, device))

  const app = fastify({
    bodyLimit: device.options.maxBodyBytes,
    forceCloseConnections: true,
    frameworkErrors: refuse,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 16 * 1024 },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.register(multipart)
  app.setErrorHandler(refuse)
  app.addHook('onRequest', (request, reply, done) => {
    const reception = request.url.startsWith('/api') ? faults.receive() : 'handle'
    if (reception === 'handle') done()
    else if (reception === 'reset') resetConnection(request, reply)
    else answers.refuse(request, reply, refused(reception, reply))
  })
  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    answers.refuse(
      request,
      reply,
      new Refusal(404, `there is no resource ${cut(path, 200)} for ${request.method}`),
    )
  })
  app.options('/api/*', (_request, reply) => reply.code(204).headers(preflight).send())
  addRoutes(app, device, answers)
  addRoutesV1(app, device, answers)
  explorer(app, { version: packageVersion(), variant: device.variant })
  addScenarioRoute(app, device)
  device.scenarioChanged = () => {
    if (device.scenario.offline) app.server.closeIdleConnections()
  }
  return app
}

function refused(reception: 'starting' | { retryAfter: number }, reply: FastifyReply): Refusal {
  if (reception === 'starting') return new Refusal(502, 'the device is starting')
  reply.header('retry-after', reception.retryAfter)
  return new Refusal(429, 'request frequency too high')
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
      return new Refusal(415, 'the content type is not taken here: send application/json')
    case 'FST_ERR_BAD_URL':
      return new Refusal(400, 'the address is not a valid one')
  }
  const { statusCode = 500 } = error
  if (statusCode >= 500) device.note('ERROR', `internal error: ${error.message}`)
  return new Refusal(statusCode, error.message)
}
