import { get } from 'node:http'
import { abortedAfter } from '../../../lib/timers/timers'
import { isObject } from '../../shared/is-object'

/** Milliseconds for all requests, and bytes of an answer. */
const most = { time: 2000, bytes: 64 * 1024 }

interface LoopbackPort {
  /** A loopback address. */
  host: string
  port: number
}

/**
 * The virtual device that listens on a port of this computer, with its serial number if it reports one; undefined if
 * something else listens, or nobody answers within two seconds.
 */
export async function virtualDeviceAt(
  place: LoopbackPort,
  signal: AbortSignal,
): Promise<{ serial?: string } | undefined> {
  const limit = AbortSignal.any([signal, abortedAfter(most.time)])
  const scenario = await jsonAt(place, '/virtual/scenario', limit)
  // It answers this in any scenario, even while its API is offline or starting.
  if (typeof scenario?.['offline'] !== 'boolean' || typeof scenario['boot_seconds'] !== 'number')
    return undefined
  const serial = (await jsonAt(place, '/api/v2/system', limit))?.['serial']
  return typeof serial === 'string' && /^[A-Za-z\d-]{1,32}$/.test(serial) ? { serial } : {}
}

/** The object in the answer; undefined if there is none, for any reason. */
function jsonAt(
  place: LoopbackPort,
  path: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  return new Promise((resolve) => {
    // Without the process's agent, which may lead to a proxy.
    const request = get({ ...place, path, agent: false, signal }, (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('error', () => resolve(undefined))
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > most.bytes) request.destroy()
      })
      response.on('end', () => resolve(response.statusCode === 200 ? parsed(parts) : undefined))
    })
    request.on('error', () => resolve(undefined))
    request.on('close', () => resolve(undefined))
  })
}

function parsed(parts: readonly Buffer[]): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString())
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
