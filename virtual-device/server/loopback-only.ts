import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusal'

const here = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i
const loopback = /^(::ffff:)?127\.|^::1$/

/**
 * What lies outside of the API is for this machine alone, and for no web page of another origin: a page that lets its own
 * host name point here, to get around the browser, still sends that name.
 * @throws Refusal 403
 */
export function assertFromHere({ ip, headers: { host } }: FastifyRequest): void {
  if (!loopback.test(ip)) throw new Refusal(403, 'this can be reached from the machine of the device only')
  if (host !== undefined && !here.test(host))
    throw new Refusal(403, 'this can be reached under localhost, 127.0.0.1 or [::1] only')
}
