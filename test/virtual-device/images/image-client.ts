import { Client, credentials, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../../virtual-device'
import { typeOf } from '../../images/messages'
import { eventually } from '../../support/eventually'
import { send } from '../support/use-device'

export interface Time {
  sec: number
  nsec: number
}

export interface WireImage {
  timestamp: Time
  width: number
  height: number
  focalLength: number
  principalPointU: number
  principalPointV: number
  encoding: string
  isBigendian: boolean
  step: number
  data: Buffer
  gpios?: { inputs: number; outputs: number; values: number }
  exposureTime: number
  gain: number
  noise: number
  brightness: number
}

export interface WireSet {
  timestamp: Time
  left?: WireImage
  right?: WireImage
  disparity?: { scale: number; offset: number; baseline: number; deltaD: number; image: WireImage }
  disparityError?: WireImage
  confidence?: WireImage
  mesh?: { timestamp: Time; format: string; data: Buffer }
}

export interface WireEvent {
  depthAcquisitionDone: { timestamp: { toNumber?: () => number } }
  imagesetTimestamp: unknown
}

export const setsMethod = '/ImageInterface/StreamImageSets'
export const eventsMethod = '/ImageEventsInterface/StreamImageEvents'

/** A stream as an independent client of gRPC reads it. */
export interface Streamed<Message> {
  messages: Message[]
  atLeast: (count: number) => Promise<Message[]>
  /** The status with which it ended. */
  ended: Promise<ServiceError>
  cancel: () => void
  call: ClientReadableStream<Message>
}

/** What a message must have. */
export function there<Part>(part: Part | null | undefined): Part {
  if (part === null || part === undefined) throw new Error('A part of the message is missing.')
  return part
}

/** Nanoseconds since 1970. */
export const nanoseconds = ({ sec, nsec }: Time): bigint => BigInt(sec) * 1_000_000_000n + BigInt(nsec)

/** A device with its image stream for each test of a suite, and independent clients of it. */
export function useImages(options: VirtualDeviceOptions = {}) {
  let running: VirtualDevice | undefined
  const clients: Client[] = []
  const device = () => {
    if (!running) throw new Error('The device is not running.')
    return running
  }
  beforeEach(async () => {
    running = await startVirtualDevice({ port: 0, imagePort: 0, ...options })
  })
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close()
    await running?.stop()
    running = undefined
  })

  const stream = <Message>(
    method: string,
    bytes: Buffer,
    decode: (bytes: Buffer) => Message,
    { pipeline = 0, deadline }: { pipeline?: number; deadline?: number } = {},
  ): Streamed<Message> => {
    const port = (device().ports.images?.port ?? 0) + pipeline
    const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      'grpc.max_receive_message_length': -1,
      'grpc.use_local_subchannel_pool': 1,
    })
    clients.push(client)
    const call = client.makeServerStreamRequest(
      method,
      (given: Buffer) => given,
      decode,
      bytes,
      deadline === undefined ? {} : { deadline: Date.now() + deadline },
    )
    const messages: Message[] = []
    call.on('data', (message: Message) => messages.push(message))
    const ended = new Promise<ServiceError>((resolve) => call.on('error', resolve))
    const isOver = { status: undefined as ServiceError | undefined }
    void ended.then((status) => (isOver.status = status))
    return {
      messages,
      atLeast: (count) =>
        eventually(() => {
          if (messages.length >= count || isOver.status) return messages
          throw new Error(`${messages.length} messages of ${count}`)
        }).then((all) => {
          if (all.length < count && isOver.status) throw isOver.status
          return all
        }),
      ended,
      cancel: () => call.cancel(),
      call,
    }
  }
  const encoded = (type: string, request: object) =>
    Buffer.from(typeOf(type).encode(typeOf(type).fromObject(request)).finish())
  const decoded = (type: string, bytes: Buffer): unknown => typeOf(type).decode(bytes)

  return {
    get device() {
      return device()
    },
    stream,
    /** @param request fields of ImageSetRequest, `leftEnabled` … */
    sets: (request: object, where?: { pipeline?: number; deadline?: number }) =>
      stream(
        setsMethod,
        encoded('ImageSetRequest', request),
        (bytes) => decoded('ImageSet', bytes) as WireSet,
        where,
      ),
    events: () =>
      stream(
        eventsMethod,
        encoded('ImageEventsRequest', { depthAcquisitionDoneEnabled: true }),
        (bytes) => decoded('ImageEvents', bytes) as WireEvent,
      ),
    /** Sets parameters of a node. */
    set: async (node: string, values: Record<string, unknown>, pipeline = '0') => {
      const json = Object.entries(values).map(([name, value]) => ({ name, value }))
      const path = `/api/v2/pipelines/${pipeline}/nodes/dev_${node}/parameters`
      const { status, text } = await send('PUT', device().url + path, { json })
      if (status !== 200) throw new Error(text)
    },
    call: async (node: string, service: string, args: object = {}, pipeline = '0') => {
      const place = node.endsWith('_db') ? '' : `/pipelines/${pipeline}`
      const path = `/api/v2${place}/nodes/dev_${node}/services/${service}`
      const { body } = await send('PUT', device().url + path, { json: { args } })
      return (body as { response: Record<string, unknown> & { return_code: { value: number } } }).response
    },
    get: async (path: string) => (await send('GET', device().url + path)).body,
  }
}
