import type { FastifyRequest } from 'fastify'
import { Refusal } from '../refusal'

const here = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i
const loopback = /^(::ffff:)?127\.|^::1$/

/**
 * Routes outside the API are only for this machine, and not for web pages of another origin: a page that points its own
 * host name here (DNS rebinding) still sends that name, and a page that sends requests here sends its origin.
 * @throws Refusal 403
 */
export function assertFromHere({ ip, headers }: FastifyRequest): void {
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
