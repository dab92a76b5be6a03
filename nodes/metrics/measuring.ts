/** The metrics of this Node-RED, and the answer to a scrape. Loaded with the first group. */
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

export type Group = SeriesGroup<MetricName>

/** By kind and name: `device` and `Cell 1`. */
type Registry = Map<string, Group>

const registries = new WeakMap<object, Registry>()

/** The nodes of a Node-RED share its admin server. */
function registryOf({ httpAdmin }: Pick<NodeAPI, 'httpAdmin'>): Registry {
  const known = registries.get(httpAdmin) ?? new Map<string, Group>()
  registries.set(httpAdmin, known)
  return known
}

export const groupsOf = (RED: Pick<NodeAPI, 'httpAdmin'>): readonly Group[] => [...registryOf(RED).values()]

/**
 * Starts a group. Its label is its name, otherwise its id; a duplicate name gets the id as well.
 * @param kind name of the label
 * @returns the group, and a function that ends it
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

/** In `settings.js`; never in a flow or a message. */
export interface TokenSettings {
  visionMetricsToken?: unknown
}

/**
 * `visionMetricsToken` in `settings.js`, or the environment variable `VISION_METRICS_TOKEN`.
 * @returns undefined if neither is set: no token is valid
 */
export function tokenOf({
  visionMetricsToken: token = process.env['VISION_METRICS_TOKEN'],
}: TokenSettings): string | undefined {
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** @param authorization header of the request */
export function hasToken(authorization: string | undefined, settings: TokenSettings): boolean {
  const token = tokenOf(settings)
  if (token === undefined) return false
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  // Digests have equal lengths and are compared in constant time.
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

export type TextResponse = ServerResponse & {
  set: (headers: Record<string, string>) => unknown
  status: (status: number) => unknown
  type: (type: string) => unknown
}

/** Milliseconds of writing without yielding. */
const slice = 3

/** Characters per chunk. */
const together = 32 * 1024

/**
 * Writes in slices of 3 ms; waits for a slow reader, and stops when it disconnects.
 * @param text pieces, each written in well under a millisecond
 */
export async function sendInSlices(response: ServerResponse, text: Iterable<string>): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  let unsent = ''
  const send = async () => {
    const isTaken = response.write(unsent)
    unsent = ''
    // Rejects only when the reader has disconnected.
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

/** A stalled reader must not fill the memory. */
const scrapesAtOnce = 4

const textFormat = 'text/plain; version=0.0.4; charset=utf-8'

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
