import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Device } from '../device/device'
import { glanceParts, type GlancePart } from '../images/picture-order'
import { Glances, type Glance } from '../page/glances'
import { pageNow } from '../page/now'
import { pageHtml } from '../page/page-html'
import { inLanguage, pageLanguage } from '../page/sentences'
import { Refusal, refusalBody } from '../refusal'
import { shown } from '../shown'
import { assertFromHere } from './loopback-only'

/** Nothing is loaded from elsewhere, no text of a page runs, and no other page may frame it or read what it reads. */
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
  // A key that is repeated is a list.
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
