import 'should'
import {
  createClient,
  isVisionError,
  type CallOptions,
  type Client,
  type ClientOptions,
  type VisionError,
} from '../../lib'
import {
  silence,
  slowly,
  stallInBody,
  stallInHeaders,
  startMisbehavingServer,
  type Behaviour,
  type MisbehavingServer,
} from '../support/misbehaving-server'

/** A misbehaving server for the tests of one `describe`, and clients that are closed after each test. */
export function useServer() {
  let server: MisbehavingServer
  const clients: Client[] = []

  before(async () => {
    server = await startMisbehavingServer()
  })
  after(() => server.stop())
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
    server.received.length = 0
    server.resetConnections(0)
  })

  return {
    get server() {
      return server
    },
    /** A client of the server without jitter, which repeats at once. */
    client: (options: Partial<ClientOptions> = {}): Client => {
      const client = createClient({ address: server.url, random: () => 0, ...options })
      clients.push(client)
      return client
    },
  }
}

/** The error that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<VisionError> {
  try {
    await call
  } catch (error) {
    if (isVisionError(error)) return error
    throw error
  }
  throw new Error('The call did not fail.')
}

/** A parameter as described by the device. */
export const fps = (value: unknown = 25) => ({
  name: 'fps',
  type: 'float64',
  value,
  default: 25,
  min: 1,
  max: 25,
  description: 'Frames per second',
})

export const whichFps = { pipeline: '0', node: 'dev_camera', param: 'fps' }

/**
 * Whether a call ends before a timer of this many milliseconds fires. On a busy machine both are late, so this tests
 * the promise and not the machine.
 */
export const endsWithin = (milliseconds: number, call: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    const ended = () => {
      clearTimeout(timer)
      resolve(true)
    }
    call.then(ended, ended)
  })

export const callService = (client: Client, options?: CallOptions) =>
  client.callService({ pipeline: '0', node: 'n', service: 's' }, options)

/** The ways in which an answer can stall. */
export const stalls: Record<string, Behaviour> = {
  'never answers': silence,
  'stalls in its headers': stallInHeaders,
  'stalls in its body': stallInBody,
  'sends too slowly': slowly(' '.repeat(1_000_000)),
}
