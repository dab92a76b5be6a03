import { performance } from 'node:perf_hooks'
import type { SysInfo, Variant } from '../../../lib/contract'
import { codeOf, causeOf } from '../../shared/node-error'
import { VisionError } from '../../../lib/client/vision-error'
import { variantOf } from '../../device/connection'
import type { Inspection } from '../../device/device'

export type Probe =
  | {
      reached: true
      /** False while the device starts. */
      ready: boolean
      model: string
      serial: string
      hostname: string
      firmware: string
      variant?: Variant
      /** Milliseconds for one request on an open connection. */
      latency: number
    }
  | {
      reached: false
      problem: Problem
      status?: number
      said?: string
    }

type Problem =
  | 'unknownName'
  | 'refused'
  | 'noAnswer'
  | 'cutOff'
  | 'notHttps'
  | 'wantsHttps'
  | 'certificate'
  | 'login'
  | 'starting'
  | 'inTrouble'
  | 'behindGateway'
  | 'askedTooOften'
  | 'redirected'
  | 'nothingThere'
  | 'otherDevice'

/** An unreachable device is a result, not an error. @throws INVALID_INPUT, ABORTED */
export async function probe({ client }: Inspection, signal: AbortSignal): Promise<Probe> {
  const options = { signal, waitForDevice: false }
  try {
    const system = await client.getSystem(options)
    const started = performance.now()
    await client.getSystem(options)
    const latency = performance.now() - started
    const variant = await variantOf(client, system, options)
    return {
      reached: true,
      ready: system.ready,
      model: modelOf(system),
      serial: system.serial,
      hostname: system.hostname,
      firmware: system.firmware.active_image.image_version,
      ...(variant && { variant }),
      latency: Math.round(latency * 10) / 10,
    }
  } catch (error) {
    const problem = problemOf(error)
    if (!problem) throw error
    return { reached: false, problem, ...answerIn(error) }
  }
}

/** Some devices report their model; for others, it is in the host name, `<model>-<serial>`. */
function modelOf({ model_name, hostname, serial }: SysInfo): string {
  if (model_name) return model_name
  return serial && hostname.endsWith(`-${serial}`) ? hostname.slice(0, -serial.length - 1) : ''
}

function answerIn(error: unknown): { status?: number; said?: string } {
  const { status } = causeOf(error) ?? {}
  const { text } = error instanceof VisionError ? error.values : { text: undefined }
  return { ...(status !== undefined && { status }), ...(typeof text === 'string' && { said: text }) }
}

function problemOf(error: unknown): Problem | undefined {
  const { key } = error instanceof VisionError ? error : { key: undefined }
  const { reason = '', status, body } = causeOf(error) ?? {}
  if (key === 'certificate') return 'certificate'
  if (key === 'redirect') return 'redirected'
  if (key === 'not-https') return 'notHttps'
  if (key === 'lost') return 'cutOff'
  // Web servers report plain HTTP on an HTTPS port in their own words.
  if (status === 400 && /\b(https|ssl)\b/i.test(String(body))) return 'wantsHttps'
  // A device reports its failures as JSON; other servers send HTML.
  if (status === 500 && typeof body === 'object') return 'inTrouble'
  if (status === 504) return 'behindGateway'
  return reasons[reason] ?? problems[codeOf(error) ?? '']
}

const reasons: Partial<Record<string, Problem>> = {
  ENOTFOUND: 'unknownName',
  EAI_AGAIN: 'unknownName',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'cutOff',
}

const problems: Partial<Record<string, Problem>> = {
  UNREACHABLE: 'noAnswer',
  TIMEOUT: 'noAnswer',
  STARTING: 'starting',
  UNAUTHORIZED: 'login',
  FORBIDDEN: 'login',
  RATE_LIMITED: 'askedTooOften',
  DEVICE_FAULT: 'otherDevice',
  BAD_REQUEST: 'otherDevice',
  NOT_FOUND: 'nothingThere',
  TOO_LARGE: 'otherDevice',
  BAD_REPLY: 'otherDevice',
}
