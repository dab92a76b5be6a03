import type { NodeAPI } from 'node-red'
import { type AdminRequest, oncePerServer } from '../shared/admin'
import { loadMetrics } from './load-metrics'
import type { TokenSettings } from './own-token'
import type { TextResponse } from './send-in-slices'

type Guard = (request: AdminRequest, response: TextResponse, next: () => void) => void
type Answer = (request: AdminRequest, response: TextResponse) => Promise<void>

/**
 * `GET /vision-devices/metrics`: what is counted and known of devices and handshakes. Needs the permission
 * `vision.read`, or the token for metrics. Asks no device.
 */
export const metricsRoute = oncePerServer((RED: NodeAPI) => {
  const mayRead = RED.auth.needsPermission('vision.read') as unknown as Guard
  let answer: Answer | undefined

  const guard: Guard = (request, response, next) => {
    const isKnown = loadMetrics().hasToken(request.headers.authorization, RED.settings as TokenSettings)
    if (isKnown) next()
    else mayRead(request, response, next)
  }
  const { httpAdmin } = RED as unknown as {
    httpAdmin: { get: (path: string, guard: Guard, answer: Answer) => void }
  }
  httpAdmin.get('/vision-devices/metrics', guard, (request, response) => {
    answer ??= loadMetrics().answerScrape(RED)
    return answer(request, response)
  })
})
