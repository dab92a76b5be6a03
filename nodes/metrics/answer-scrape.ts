import type { NodeAPI } from 'node-red'
import { packageVersion } from '../../lib/files/package-version'
import { metricsText, SeriesGroup } from '../../lib/metrics'
import { type AdminRequest, languageOf, refusalOf, turnstile } from '../shared/admin'
import { families, type MetricName } from './families'
import { groupsOf, type Group } from './registry'
import { sendInSlices, type TextResponse } from './send-in-slices'

/** Scrapes at the same time; a reader that stands still must not fill the memory. */
const scrapesAtOnce = 4

/** The content type of the text format of Prometheus. */
const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

/** Answers a request with everything that is measured in this Node-RED. */
export function answerScrape(RED: NodeAPI) {
  const pass = turnstile(scrapesAtOnce)
  const own = buildGroup(RED)

  return async (request: AdminRequest, response: TextResponse): Promise<void> => {
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    try {
      await pass(async () => {
        response.set({ 'content-type': textFormat })
        await sendInSlices(response, metricsText(families, [own, ...groupsOf(RED)]))
      })
    } catch (error) {
      const { status, body } = refusalOf(error, languageOf(request))
      response.status(status)
      response.type('application/json')
      response.end(JSON.stringify(body))
    }
  }
}

/** What does not belong to a device: versions. */
function buildGroup(RED: Pick<NodeAPI, 'settings'>): Group {
  const group: Group = new SeriesGroup<MetricName>(families, {})
  const version = packageVersion()
  group.gauge('vision_build_info', '', 1, () => {
    const { version: nodeRed = '' } = RED.settings as { version?: string }
    return [{ labels: { version, node_red: nodeRed, node_js: process.versions.node }, value: 1 }]
  })
  return group
}
