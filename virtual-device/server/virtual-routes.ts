import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Device } from '../device/device'
import { type GlancePart, glanceParts } from '../images/image-service'
import type { Module } from '../module'
import { type Glance, Glances, pageNow } from '../page/now'
import { inLanguage, pageHtml, pageLanguage } from '../page/page-html'
import { Refusal, refusalBody, shown } from '../values'
import { decodedBody } from '../handlers/read-input'

/** `GET /virtual/arm`: the true state of the simulated robot arm. Only for this machine, like the scenario. */
export function addArmRoute(app: FastifyInstance, device: Device): void {
  app.get('/virtual/arm', (request, reply) => {
    try {
      assertFromHere(request)
      if (!device.hand) throw new Refusal(404, 'this device has no robot arm')
      return reply.header('cache-control', 'no-store').send(device.hand.truth())
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return reply.code(error.status).send(refusalBody(error))
    }
  })
}

/**
 * `GET /virtual/cell` and `GET /virtual/view.svg`, both with `?pipeline=0`: the true values that a hand-eye calibration
 * should find, and the camera's current view.
 */
export function addCellRoutes(app: FastifyInstance, device: Device): void {
  const answering =
    (answer: (module: Module, reply: FastifyReply) => unknown) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      try {
        assertFromHere(request)
        const found = calibrating(device, request.query)
        return reply.header('cache-control', 'no-store').send(answer(found, reply))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return reply.code(error.status).send(refusalBody(error))
      }
    }
  app.get(
    '/virtual/cell',
    answering((module) => module.truth?.()),
  )
  app.get(
    '/virtual/view.svg',
    answering((module, reply) => {
      // A picture opened as a page of its own could run scripts.
      reply
        .type('image/svg+xml; charset=utf-8')
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      return module.picture?.()
    }),
  )
}

function calibrating(device: Device, query: unknown): Module {
  const { pipeline = '0' } = query as { pipeline?: unknown }
  const nodes = typeof pipeline === 'string' ? device.pipelines.get(pipeline)?.nodes : undefined
  if (!nodes) throw new Refusal(404, `there is no pipeline ${shown(pipeline)}`)
  const found = nodes.get(`${device.options.nodePrefix}hand_eye_calibration`)
  if (!found) throw new Refusal(404, 'this pipeline has no hand-eye calibration')
  return found.module
}

/** Nothing is loaded from elsewhere, no text of a page runs, and no other page may frame it or read its data. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const

const files = { 'page.css': 'text/css; charset=utf-8', 'page.js': 'text/javascript; charset=utf-8' } as const

/** `/virtual/`: the device's own page. Only for this machine, like the scenario. */
export function addPageRoutes(app: FastifyInstance, device: Device, glance: Glance): void {
  const glances = new Glances(device, glance)
  const add = (url: string, type: string, answer: (request: FastifyRequest) => unknown) => {
    app.get(url, async (request, reply) => {
      try {
        assertFromHere(request)
        const body = await answer(request)
        return await reply.headers(headers).type(type).send(body)
      } catch (error) {
        return refused(error, reply)
      }
    })
  }

  app.get('/virtual', (request, reply) => {
    try {
      assertFromHere(request)
      return reply.redirect('/virtual/')
    } catch (error) {
      return refused(error, reply)
    }
  })
  add('/virtual/', 'text/html; charset=utf-8', (request) => pageHtml(device, languageOf(request)))
  for (const [name, type] of Object.entries(files))
    add(`/virtual/${name}`, type, () => readFile(join(__dirname, '..', 'page', name)))
  add('/virtual/now', 'application/json; charset=utf-8', (request) => {
    const { pipeline } = queryOf(request)
    return pageNow(device, pipeline, inLanguage(languageOf(request))) ?? noPipeline(pipeline)
  })
  add('/virtual/picture', 'image/bmp', async (request) => {
    const { pipeline, part } = queryOf(request)
    if (!device.pipelines.has(pipeline)) noPipeline(pipeline)
    if (!isPart(part))
      throw new Refusal(400, `part must be one of ${glanceParts.join(', ')}, not ${shown(part)}`)
    const picture = await glances.picture(pipeline, part)
    if (!picture) throw new Refusal(503, 'there is no picture while the device does not run')
    return Buffer.from(picture.buffer, picture.byteOffset, picture.length)
  })
}

function queryOf({ query }: FastifyRequest): { pipeline: string; part: string } {
  const { pipeline = '0', part = 'left' } = query as Record<string, unknown>
  // A repeated key is a list.
  return { pipeline: String(pipeline), part: String(part) }
}

const languageOf = ({ headers }: FastifyRequest) => pageLanguage(headers['accept-language'])
const isPart = (part: string): part is GlancePart => (glanceParts as readonly string[]).includes(part)

function noPipeline(pipeline: string): never {
  throw new Refusal(404, `there is no pipeline ${shown(pipeline)}`)
}

function refused(error: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  return reply
    .code(error.status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(refusalBody(error))
}

/** `GET /virtual/ports`: where the device listens beside its API. Only for this machine, like the scenario. */
export function addPortsRoute(app: FastifyInstance, device: Device): void {
  app.get('/virtual/ports', (request, reply) => {
    try {
      assertFromHere(request)
      return reply.header('cache-control', 'no-store').send(device.sidePorts)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return reply.code(error.status).send(refusalBody(error))
    }
  })
}

/** `GET` and `PUT /virtual/scenario`: only for this machine, and not for web pages of another origin. */
export function addScenarioRoute(app: FastifyInstance, device: Device): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      assertFromHere(request)
      if (request.method === 'PUT') await change(request)
      return await reply.header('cache-control', 'no-store').send(device.scenario)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return reply.code(error.status).send(refusalBody(error))
    }
  }
  const change = async ({ body, headers }: FastifyRequest) => {
    const part = await decodedBody((body ?? Buffer.alloc(0)) as Buffer, headers, 'json')
    try {
      device.setScenario(part)
    } catch (error) {
      throw error instanceof TypeError ? new Refusal(400, error.message) : error
    }
  }
  app.route({ method: ['GET', 'PUT'], url: '/virtual/scenario', handler: answer })
}

const here = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i
const loopback = /^(::ffff:)?127\.|^::1$/

/**
 * Routes outside the API are only for this machine, and not for web pages of another origin: a page that points its own
 * host name here (DNS rebinding) still sends that name, and a page that sends requests here sends its origin. @throws
 * Refusal 403
 */
function assertFromHere({ ip, headers }: FastifyRequest): void {
  const { host, origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  if (!loopback.test(ip)) throw new Refusal(403, 'this can be reached only from the machine that it runs on')
  if (host !== undefined && !here.test(host))
    throw new Refusal(403, 'this can be reached only as localhost, 127.0.0.1 or [::1]')
  const isForeign = origin !== undefined && origin.toLowerCase() !== `http://${host ?? ''}`.toLowerCase()
  // A link on another page may lead here; its pictures and scripts may not.
  const isPart = site === 'cross-site' && mode !== 'navigate'
  if (isForeign || isPart)
    throw new Refusal(403, 'this can be reached only from its own page, not from that of another origin')
}
