import { join } from 'node:path'
import type { Node, NodeAPI } from 'node-red'
import type { logs } from '../../lib'
import { urlIn } from '../../lib/contract/reading/address'
import { packageVersion } from '../../lib/files/package-version'
import type { Exporter } from '../../lib/otlp/exporter'
import type { Connection } from '../device/connection'
import { sentencesOf } from '../sentences'
import { asSentence } from '../shared/sentences'
import { loadOtlp } from '../shared/load-later'
import { detailOf } from '../shared/node-error'
import { environmentText } from '../shared/read-fields'
import type { LogWatchCredentials, LogWatchFields } from './fields'

const { invalidInput, nodeError, say } = sentencesOf('log-watch')

interface Collector {
  /** Buffered until the collector accepts them. */
  entries: (lines: readonly logs.LogLine[]) => void
  gap: (gap: logs.LogGap, text: string) => void
  heldBack: (held: logs.HeldBack, text: string) => void
  /** Never beyond an entry that a power failure could still lose from the buffer. */
  before: (positions: logs.Positions) => logs.Positions
  close: () => Promise<void>
}

interface Placed {
  RED: NodeAPI

  node: Node<LogWatchCredentials>
  fields: LogWatchFields
  device: Connection
  folder: string
  /** The collector rejects records, or accepts them again. */
  away: (isAway: boolean) => void
}

/** @returns undefined without a collector @throws INVALID_INPUT naming a setting */
export async function collectorOf({
  RED,
  node,
  fields,
  device,
  folder,
  away,
}: Placed): Promise<Collector | undefined> {
  const text = (field: 'otlpEndpoint' | 'otlpHeaders', stored = '') =>
    environmentText(RED, node, field, stored).trim()
  const endpoint = text('otlpEndpoint', fields.otlpEndpoint)
  if (!endpoint) return undefined
  const url = logsAddress(endpoint)
  if (!url) throw invalidInput('otlp-endpoint')
  const headers = headersOf(text('otlpHeaders', node.credentials.otlpHeaders))
  if (!headers) throw invalidInput('otlp-headers')
  const version = packageVersion()
  const { host } = new URL(url)
  const { name, address } = device.client
  const opening = loadOtlp().openExporter({
    ...{ url, headers, folder: join(folder, 'otlp') },
    resource: { 'service.name': 'vision-device', 'service.instance.id': name, 'server.address': address },
    scope: { name: '@cellsight/node-red-vision', version },
    onLost: (count, by, reason) => {
      device.metrics.recordsLost(lossMetrics[by], count)
      const error = {
        buffer: () => nodeError('BUSY', 'otlp-buffer-full', { count, host }),
        damage: () => nodeError('INTERNAL', 'otlp-damaged', { count, host }),
        refusal: () => nodeError('REFUSED', 'otlp-refused', { count, host, reason }),
      }[by]
      node.error(asSentence(error()), {})
    },
    onAway: (reason) => {
      away(reason !== undefined)
      if (reason === undefined) node.log(say('otlp-back', { host }))
      else node.warn(say('otlp-away', { host, reason }))
    },
  })
  const failed = (error: unknown) => node.error(asSentence(error), {})
  try {
    device.metrics.sendsLogs()
    return collecting(await opening, { failed, lost: () => device.metrics.recordsLost('disk', 1) })
  } catch (error) {
    failed(nodeError('INTERNAL', 'otlp-no-buffer', { reason: detailOf(error) }))
    return undefined
  }
}

const lossMetrics = { buffer: 'buffer', damage: 'disk', refusal: 'refused' } as const

interface CollectingEvents {
  failed: (error: unknown) => void
  lost: () => void
}

function collecting(exporter: Exporter, { failed, lost }: CollectingEvents): Collector {
  /** Lost since writing last worked. */
  let missing = 0
  const put = (...args: Parameters<Exporter['put']>) => {
    try {
      exporter.put(...args)
    } catch (error) {
      lost()
      // The flow still gets its entries; reported once until writing works again.
      if (missing++ === 0) failed(nodeError('INTERNAL', 'otlp-no-buffer', { reason: detailOf(error) }))
      return
    }
    if (missing > 0) failed(nodeError('INTERNAL', 'otlp-lost', { count: missing }))
    missing = 0
  }
  const event = (name: string, text: string, attributes: Readonly<Record<string, string | undefined>>) =>
    put({ level: 'WARN', text, attributes, event: name })
  return {
    entries: (lines) => {
      for (const { timestamp, level, message, log, component, repeated } of lines)
        put({
          ...{ timestamp, level, text: message },
          attributes: { 'vision.log': log, 'vision.component': component, 'vision.repeated': repeated },
        })
    },
    gap: ({ log, reason }, text) =>
      event('vision.log.gap', text, { 'vision.log': log, 'vision.reason': reason }),
    heldBack: ({ logs: byLog }, text) =>
      event('vision.log.held_back', text, { 'vision.log': Object.keys(byLog).join(', ') }),
    before: (positions) => ({
      ...positions,
      announce: async (...args) => {
        await exporter.sync()
        await positions.announce(...args)
      },
      end: async (...args) => {
        await exporter.sync()
        await positions.end(...args)
      },
    }),
    close: () => exporter.close(),
  }
}

/** Appends `/v1/logs` to an address without a path. @returns undefined for an invalid address */
export function logsAddress(endpoint: string): string | undefined {
  const url = urlIn(endpoint)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  if (url.pathname === '/') url.pathname = '/v1/logs'
  return url.href
}

/** Headers that are already set, or would break the request. */
const own = new Set(['content-type', 'content-length', 'host', 'connection', 'transfer-encoding'])

/** `name=value,other=value`, percent-encoded, as in `OTEL_EXPORTER_OTLP_HEADERS`. @returns undefined if invalid */
export function headersOf(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {}
  for (const part of text.split(',')) {
    if (!part.trim()) continue
    const [, name = '', encoded = ''] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*=(.*)$/.exec(part) ?? []
    const value = decoded(encoded.trim())
    if (!name || own.has(name.toLowerCase()) || !value || !/^[\x20-\x7e]+$/.test(value)) return undefined
    headers[name] = value
  }
  return headers
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
