/** What is measured in this Node-RED, and its answer to a scrape. Loaded with the first thing that is measured. */
import type { NodeAPI } from 'node-red'
import { createHash, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { SeriesGroup, metricsText } from '../../lib/metrics'
import { families, type MetricName } from './families'
import { settled } from '../../lib/kernel/scope'
import { packageVersion } from '../../lib/files/package-version'
import { type AdminRequest, languageOf, refusalOf, turnstile } from '../shared/admin'

/** The series of one device, handshake or centre. */
export type Group = SeriesGroup<MetricName>

/** What is measured in one Node-RED, by kind and name: `device` and `Cell 1`. */
type Registry = Map<string, Group>

const registries = new WeakMap<object, Registry>()

/** The nodes of a Node-RED have its admin server in common. */
function registryOf({ httpAdmin }: Pick<NodeAPI, 'httpAdmin'>): Registry {
  const known = registries.get(httpAdmin) ?? new Map<string, Group>()
  registries.set(httpAdmin, known)
  return known
}

/** The groups of all that is measured at present. */
export const groupsOf = (RED: Pick<NodeAPI, 'httpAdmin'>): readonly Group[] => [...registryOf(RED).values()]

/**
 * Begins to measure something. Its label is its name, or its id if it has none; a name that is taken gets the id as well.
 * @param kind name of the label
 * @returns its group, and a function that ends it
 */
export function measured(
  RED: Pick<NodeAPI, 'httpAdmin'>,
  kind: 'device' | 'handshake' | 'centre',
  { id, name }: { id: string; name?: string },
): { group: Group; end: () => void } {
  const registry = registryOf(RED)
  const keyOf = (label: string) => `${kind} ${label}`
  const plain = name?.trim() || id
  const label = registry.has(keyOf(plain)) ? `${plain} (${id})` : plain
  const key = keyOf(label)
  const group: Group = new SeriesGroup<MetricName>(families, { [kind]: label })
  registry.set(key, group)
  return {
    group,
    end: () => {
      if (registry.get(key) === group) registry.delete(key)
    },
  }
}

/** The part of `settings.js` with the token; never in a flow or a message. */
export interface TokenSettings {
  visionMetricsToken?: unknown
}

/**
 * The token for metrics: `visionMetricsToken` in `settings.js`, or the environment variable `VISION_METRICS_TOKEN`.
 * @returns undefined where neither is set: then no token is valid
 */
export function tokenOf({
  visionMetricsToken: token = process.env['VISION_METRICS_TOKEN'],
}: TokenSettings): string | undefined {
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** Whether a request has the token for metrics. @param authorization header of the request */
export function hasToken(authorization: string | undefined, settings: TokenSettings): boolean {
  const token = tokenOf(settings)
  if (token === undefined) return false
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  // Of the same length, and compared in the same time, whatever was given.
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** An answer whose body is text, as Express has it. */
export type TextResponse = ServerResponse & {
  set: (headers: Record<string, string>) => unknown
  status: (status: number) => unknown
  type: (type: string) => unknown
}

/** Milliseconds for which writing may hold the event loop. */
const slice = 3

/** Characters that are sent together. */
const together = 32 * 1024

/**
 * Sends a text as it is written, in slices of 3 ms. Waits for a slow reader, and stops when the reader has gone.
 * @param text pieces, each written in well under a millisecond
 */
export async function sendInSlices(response: ServerResponse, text: Iterable<string>): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  let unsent = ''
  const send = async () => {
    const isTaken = response.write(unsent)
    unsent = ''
    // Rejects only when the reader has gone.
    if (!isTaken && !gone.signal.aborted) await settled(once(response, 'drain', { signal: gone.signal }))
  }
  let end = performance.now() + slice
  for (const piece of text) {
    unsent += piece
    if (unsent.length >= together) await send()
    if (performance.now() >= end) {
      await turn()
      end = performance.now() + slice
    }
    if (gone.signal.aborted) return
  }
  response.end(unsent)
}

/** Scrapes at the same time; a stalled reader must not fill the memory. */
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

export { DeviceMetrics, HandshakeMetrics, measureFleet, noteCall } from './families'
export { chosenValues, mostChosen } from './status-values'
