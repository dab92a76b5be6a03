import type { NodeAPI } from 'node-red'
import { type AdminRequest, oncePerServer } from '../shared/admin'
import { say } from '../shared/sentences'
import type { TokenSettings, TextResponse } from './measuring'
import { loadMetrics } from './load-metrics'

type Guard = (request: AdminRequest, response: TextResponse, next: () => void) => void
type Answer = (request: AdminRequest, response: TextResponse) => Promise<void>
interface Server {
  get: (path: string, guard: Guard, answer: Answer) => void
}

interface RootSettings extends TokenSettings {
  httpAdminRoot?: string | false
  httpNodeRoot?: string | false
}

const path = '/vision-devices/metrics'

/**
 * `GET /vision-devices/metrics`; needs the permission `vision.read` or the token. Queries no device. Without an admin
 * server (`httpAdminRoot: false`) it is on `httpNode`, which has no logins: token only.
 */
export const metricsRoute = oncePerServer((RED: NodeAPI) => {
  const { httpAdmin, httpNode } = RED as unknown as { httpAdmin: Server; httpNode: Server }
  const settings = RED.settings as unknown as RootSettings
  let answer: Answer | undefined
  const serve = (server: Server, refuse: Guard) =>
    server.get(
      path,
      (request, response, next) => {
        if (loadMetrics().hasToken(request.headers.authorization, settings)) next()
        else refuse(request, response, next)
      },
      (request, response) => {
        answer ??= loadMetrics().answerScrape(RED)
        return answer(request, response)
      },
    )
  if (settings.httpAdminRoot !== false) {
    serve(httpAdmin, RED.auth.needsPermission('vision.read') as unknown as Guard)
    return
  }
  const { httpNodeRoot } = settings
  const key =
    httpNodeRoot === false
      ? 'metrics-without-root'
      : loadMetrics().tokenOf(settings) === undefined
        ? 'metrics-without-token'
        : 'metrics-on-node-root'
  RED.log.warn(say(key, { path: `${(httpNodeRoot || '').replace(/\/$/, '')}${path}` }))
  if (key !== 'metrics-on-node-root') return
  serve(httpNode, (_request, response) => {
    response.set({ 'www-authenticate': 'Bearer' })
    response.status(401)
    response.end('')
  })
})
