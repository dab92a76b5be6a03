import { basePath } from '../../../lib/contract'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../../virtual-device'

export interface DeviceReply {
  status: number
  headers: Headers
  bytes: Uint8Array
  text: string
  /** The text as JSON; reading it fails the test if it is not JSON. */
  body: unknown
}
export interface SentRequest {
  /** Sent as JSON. */
  json?: unknown
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer> | FormData
  headers?: Record<string, string>
}

/** Sends one request. @param url absolute */
export async function send(
  method: string,
  url: string,
  { json, body, headers }: SentRequest = {},
): Promise<DeviceReply> {
  const answer = await fetch(url, {
    method,
    redirect: 'manual',
    body: json === undefined ? body : JSON.stringify(json),
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
  })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const text = Buffer.from(bytes).toString()
  return {
    status: answer.status,
    headers: answer.headers,
    bytes,
    text,
    get body() {
      return JSON.parse(text) as unknown
    },
  }
}

/** A device for each test of a suite. */
export function useDevice(options: VirtualDeviceOptions = {}) {
  let running: VirtualDevice | undefined
  const device = () => {
    if (!running) throw new Error('The device is not running.')
    return running
  }
  beforeEach(async () => {
    running = await startVirtualDevice({ port: 0, ...options })
  })
  afterEach(async () => {
    await running?.stop()
    running = undefined
  })
  const api = (method: string) => (path: string, sent?: SentRequest) =>
    send(method, device().url + basePath + path, sent)
  return {
    get device() {
      return device()
    },
    get: api('GET'),
    put: api('PUT'),
    post: api('POST'),
    delete: api('DELETE'),
    send: (method: string, path: string, sent?: SentRequest) => send(method, device().url + path, sent),
  }
}

export const camera = '/pipelines/0/nodes/dev_camera'
export const depth = '/pipelines/0/nodes/dev_stereomatching'
