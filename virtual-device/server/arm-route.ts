import type { FastifyInstance } from 'fastify'
import type { Device } from '../device/device'
import { Refusal, refusalBody } from '../refusal'
import { assertFromHere } from './loopback-only'

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
