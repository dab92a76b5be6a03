/** The page that lists the operations of the API and sends them. In: the OpenAPI document. Out: HTML. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Variant } from '../../lib/contract'
import { openApi } from '../../lib/contract/open-api'

const files = {
  'swagger-ui-dist/swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-dist/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'start.js': 'text/javascript; charset=utf-8',
} as const

/** Serves the interactive explorer at `/api/`, with the document generated from the contract, without internet access. */
export function explorer(
  app: FastifyInstance,
  { version, variant }: { version: string; variant: Variant },
): void {
  let document: string | undefined
  app.get('/api', (_request, reply) => reply.redirect('/api/swagger/'))
  app.get('/api/', (_request, reply) => reply.redirect('/api/swagger/'))
  app.get('/api/swagger', (_request, reply) => reply.redirect('/api/swagger/'))
  app.get('/api/openapi.json', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send((document ??= JSON.stringify(openApi({ version, variant })))),
  )
  app.get('/api/swagger/', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(await asset('index.html')),
  )
  for (const [name, type] of Object.entries(files)) {
    app.get(`/api/swagger/${name}`, async (_request, reply) => reply.type(type).send(await asset(name)))
  }
}

const asset = (name: string) => readFile(join(__dirname, name))
