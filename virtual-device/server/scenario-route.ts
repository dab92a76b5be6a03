import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { decodedBody } from '../requests/decode-body'
import type { Device } from '../device/device'
import { assertFromHere } from './loopback-only'
import { Refusal, refusalBody } from '../refusal'

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
