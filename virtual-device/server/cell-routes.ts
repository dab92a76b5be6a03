import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Device } from '../device/device'
import { shown } from '../shown'
import type { Module } from '../module'
import { assertFromHere } from './loopback-only'
import { Refusal, refusalBody } from '../refusal'

/**
 * `GET /virtual/cell` and `GET /virtual/view.svg`, both with `?pipeline=0`: the true values that a hand-eye calibration
 * should find, and what its camera sees at present.
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
