import type { FastifyInstance } from 'fastify'
import type { Device } from '../device/device'
import { assertFromHere } from './loopback-only'
import { Refusal, refusalBody } from '../refusal'

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
