import fastify from 'fastify'
import { parentPort, workerData } from 'node:worker_threads'

export interface BareAnswer {
  path: string
  body: string
  headers: Record<string, string>
}

/** In a thread: Fastify with one route and a prepared answer. */
async function serve({ path, body, headers }: BareAnswer): Promise<void> {
  const app = fastify()
  app.get(path, (_request, reply) => {
    void reply.headers(headers).send(body)
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  parentPort?.postMessage(app.server.address())
}

void serve(workerData as BareAnswer)
