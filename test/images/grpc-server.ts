import { createRequire } from 'node:module'
import { typeOf } from './messages'

/** A call of a client, as the independent server hands it over. */
export interface GrpcCall {
  request: Record<string, unknown>
  cancelled: boolean
  /** Returns false if the client is to be waited for, until `drain`. */
  write: (bytes: Buffer) => boolean
  end: () => void
  once: (event: 'cancelled' | 'drain', listener: () => void) => void
  emit: (event: 'error', error: { code: number; details: string }) => void
}

type Handler = (call: GrpcCall) => void

/** The few names of the independent implementation that these tests use. */
interface Grpc {
  Server: new (options?: object) => {
    addService: (service: object, handlers: Record<string, Handler>) => void
    bindAsync: (
      address: string,
      credentials: unknown,
      bound: (error: Error | null, port: number) => void,
    ) => void
    forceShutdown: () => void
    tryShutdown: (done: (error?: Error) => void) => void
  }
  ServerCredentials: {
    createInsecure: () => unknown
    createSsl: (
      ca: Buffer | null,
      pairs: { private_key: Buffer; cert_chain: Buffer }[],
      checks: boolean,
    ) => unknown
  }
}

const grpc = createRequire(__filename)('@grpc/grpc-js') as Grpc

const service = (path: string, request: string) => ({
  path,
  requestStream: false,
  responseStream: true,
  requestDeserialize: (bytes: Buffer) => {
    const type = typeOf(request)
    return type.toObject(type.decode(bytes), { enums: String }) as Record<string, unknown>
  },
  requestSerialize: (bytes: Buffer) => bytes,
  responseSerialize: (bytes: Buffer) => bytes,
  responseDeserialize: (bytes: Buffer) => bytes,
})

const images = { StreamImageSets: service('/ImageInterface/StreamImageSets', 'ImageSetRequest') }
const events = { StreamImageEvents: service('/ImageEventsInterface/StreamImageEvents', 'ImageEventsRequest') }

/** What the server does with its calls, and how it is reached. */
interface ServerOptions {
  images?: Handler
  events?: Handler
  port?: number
  tls?: { cert: string; key: string; requires?: boolean }
}

/** A device's image service, by an independent implementation of gRPC. */
export interface GrpcServer {
  port: number
  /** Ends all connections at once. */
  stop: () => void
  /** Tells the clients to go, and waits until they have. */
  retire: () => Promise<void>
}

export async function startGrpcServer({
  images: onImages,
  events: onEvents,
  port = 0,
  tls,
}: ServerOptions): Promise<GrpcServer> {
  const server = new grpc.Server({ 'grpc.max_send_message_length': -1 })
  if (onImages) server.addService(images, { StreamImageSets: onImages })
  if (onEvents) server.addService(events, { StreamImageEvents: onEvents })
  const pair = tls && { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.cert) }
  const credentials = pair
    ? grpc.ServerCredentials.createSsl(Buffer.from(tls.cert), [pair], tls.requires ?? false)
    : grpc.ServerCredentials.createInsecure()
  const bound = await new Promise<number>((resolve, reject) =>
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, at) => (error ? reject(error) : resolve(at))),
  )
  return {
    port: bound,
    stop: () => server.forceShutdown(),
    retire: () => new Promise((resolve) => server.tryShutdown(() => resolve())),
  }
}

/** Sends as fast as the client takes them: `count` sets, numbered from 1. */
export function sendSets(call: GrpcCall, count: number, setOf: (number: number) => Buffer): void {
  let number = 0
  const send = () => {
    while (number < count && !call.cancelled) {
      number++
      if (call.write(setOf(number))) continue
      call.once('drain', send)
      return
    }
    if (number === count) call.end()
  }
  send()
}
