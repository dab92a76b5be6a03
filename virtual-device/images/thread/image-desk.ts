import { startTimeout } from '../../../lib/kernel/timers'
import { seededRandom } from '../../values'
import { type GrpcCall, type GrpcHandler, grpcServer, type GrpcServer } from '../grpc'
import type { GlanceOrder, PictureOrder, ServiceState } from '../image-service'
import { Album, bitmap, depthColours, greys } from '../render/album'
import { depthSteps } from '../render/exposed'
import type { Stage } from '../stage'
import { depthAcquisitionDone, eventsRequest, imageSet, imageSetRequest, type ImageSetRequest } from '../wire'

const mostClients = 8 // concurrent clients of a pipeline

/** A stream's request, and its number in the order of opening. */
interface SetStream {
  request: ImageSetRequest
  number: number
}

type ClientsChange = Omit<FromImageThread & { event: 'clients' }, 'event'>

interface Pipeline {
  album: Album
  sets: Map<GrpcCall, SetStream>
  events: Set<GrpcCall>
}

/** Serves the images of a device: one port for each possible pipeline. */
export class ImageDesk {
  private servers: GrpcServer[] = []
  private place = { host: '', port: 0 }
  private state: ServiceState = { ready: true, pipelines: {}, stream: 'ok', delay: 0, drop: 0 }
  private readonly pipelines: Pipeline[] = []
  private readonly random: () => number
  private opened = 0
  private known = 0 // number of the last stream that the device knows
  private changing: Promise<void> = Promise.resolve() // the running change of the ports

  /** @param changed the clients of a pipeline have changed @param failed the ports could not be reopened */
  constructor(
    count: number,
    seed: number,
    private readonly changed: (change: ClientsChange) => void,
    private readonly failed: (error: unknown) => void,
  ) {
    this.random = seededRandom(seed)
    for (let index = 0; index < count; index++)
      this.pipelines.push({ album: new Album(), sets: new Map(), events: new Set() })
  }

  /** @param port 0 for any with enough free ones after it. @returns the first port */
  async listen(host: string, port: number): Promise<number> {
    this.place = { host, port: await this.open(host, port) }
    return this.place.port
  }

  async close(): Promise<void> {
    await this.changing
    await Promise.all(this.servers.splice(0).map((server) => server.close()))
  }

  setState(state: ServiceState): void {
    const { stream: before } = this.state
    this.state = state
    if (!state.ready) this.endAll()
    if ((state.stream === 'closed') !== (before === 'closed'))
      this.changing = this.changing.then(() => this.openOrClose()).catch(this.failed)
  }

  show(pipeline: string, stage: Stage): void {
    this.pipelines[Number(pipeline)]?.album.show(stage)
  }

  subscribed(upTo: number): void {
    this.known = upTo
  }

  /**
   * Draws a picture and sends it to clients of its kind that were connected when it was taken. A client that has not
   * read the one before gets an untriggered one later, unless a newer one replaces it.
   */
  take(order: PictureOrder): void {
    const pipeline = this.pipelines[Number(order.pipeline)]
    const calls = [...(pipeline?.sets ?? [])].filter(
      ([, { request, number }]) => number <= this.known && kindOf(request) === order.of,
    )
    if (!pipeline || calls.length === 0) return
    const picture = pipeline.album.take(order)
    for (const [call, { request }] of calls) {
      if (this.state.drop > 0 && this.random() < this.state.drop) continue
      const draw = () => imageSet(picture(request))
      const drawn = order.triggered || !call.isBehind ? draw() : undefined
      this.later(() => {
        if (this.state.stream === 'cut') call.cut(drawn ?? draw())
        else call.send(() => drawn ?? draw())
      })
    }
  }

  event(pipeline: string, at: bigint, ofSet: bigint): void {
    for (const call of this.pipelines[Number(pipeline)]?.events ?? [])
      call.send(() => depthAcquisitionDone(at, ofSet))
  }

  private later(send: () => void): void {
    if (this.state.delay > 0) startTimeout(send, this.state.delay).unref()
    else send()
  }

  private async open(host: string, port: number): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      try {
        for (const index of this.pipelines.keys()) {
          const next = port === 0 && index > 0 ? (this.servers[0]?.port ?? 0) + index : port && port + index
          this.servers.push(await grpcServer(this.methods(index), { host, port: next }))
        }
        return this.servers[0]?.port ?? port
      } catch (error) {
        await Promise.all(this.servers.splice(0).map((server) => server.close()))
        // The ports after a free one need not be free.
        if (port !== 0 || attempt >= 50) throw error
      }
    }
  }

  private async openOrClose(): Promise<void> {
    const isOpen = this.servers.length > 0
    if (this.state.stream === 'closed' && isOpen)
      await Promise.all(this.servers.splice(0).map((server) => server.close()))
    if (this.state.stream !== 'closed' && !isOpen) await this.open(this.place.host, this.place.port)
  }

  private methods(index: number): Readonly<Record<string, GrpcHandler>> {
    return {
      '/ImageInterface/StreamImageSets': (call, bytes) => this.streamSets(index, call, bytes),
      '/ImageEventsInterface/StreamImageEvents': (call, bytes) => this.streamEvents(index, call, bytes),
    }
  }

  private streamSets(index: number, call: GrpcCall, bytes: Uint8Array): void {
    const pipeline = this.pipelines[index] as Pipeline
    const request = imageSetRequest(bytes)
    if (!request) {
      call.end({ status: 'INTERNAL', message: 'the request is no ImageSetRequest' })
      return
    }
    const { left, right, disparity, error, confidence, mesh } = request
    if (![left, right, disparity, error, confidence, mesh].includes(true)) {
      call.end({ status: 'INVALID_ARGUMENT', message: 'the request enables no image' })
      return
    }
    if (this.refuses(index, call, kindOf(request) === 'depth')) return
    pipeline.sets.set(call, { request, number: ++this.opened })
    this.follow(index, call, () => pipeline.sets.delete(call))
  }

  private streamEvents(index: number, call: GrpcCall, bytes: Uint8Array): void {
    const pipeline = this.pipelines[index] as Pipeline
    const request = eventsRequest(bytes)
    if (!request) {
      call.end({ status: 'INTERNAL', message: 'the request is no ImageEventsRequest' })
      return
    }
    if (!request.depthAcquisitionDone) {
      call.end({ status: 'INVALID_ARGUMENT', message: 'the request enables no event' })
      return
    }
    if (this.refuses(index, call, false)) return
    pipeline.events.add(call)
    this.follow(index, call, () => pipeline.events.delete(call))
  }

  private follow(index: number, call: GrpcCall, forget: () => void): void {
    const { sets, events } = this.pipelines[index] as Pipeline
    const report = (connectedFor: number) => {
      const depth = [...sets.values()].filter(({ request }) => kindOf(request) === 'depth').length
      const clients = { depth, camera: sets.size - depth, events: events.size }
      this.changed({ pipeline: String(index), clients, upTo: this.opened, connectedFor })
    }
    call.ended = () => {
      forget()
      report(0)
    }
    report(performance.now() - call.since)
  }

  private refuses(index: number, call: GrpcCall, depth: boolean): boolean {
    const { ready, pipelines, stream } = this.state
    const { sets, events } = this.pipelines[index] as Pipeline
    const pipeline = pipelines[String(index)]
    const missing = pipeline?.images ?? (depth ? pipeline?.depth : undefined)
    if (!ready) call.end({ status: 'UNAVAILABLE', message: 'the device is starting' })
    else if (!pipeline) call.end({ status: 'UNAVAILABLE', message: `there is no pipeline ${index}` })
    else if (missing !== undefined)
      call.end({
        status: 'PERMISSION_DENIED',
        message: `no valid license: the component ${missing} is missing`,
      })
    else if (stream === 'refused' || sets.size + events.size >= mostClients)
      call.end({ status: 'RESOURCE_EXHAUSTED', message: 'there are too many image clients' })
    else return false
    return true
  }

  private endAll(): void {
    for (const { sets, events } of this.pipelines)
      for (const call of [...sets.keys(), ...events])
        call.end({ status: 'UNAVAILABLE', message: 'the device stops or restarts' })
  }
}

const kindOf = ({ disparity, error, confidence, mesh }: ImageSetRequest) =>
  disparity || error || confidence || mesh ? 'depth' : 'camera'

const nothing: ImageSetRequest = {
  left: false,
  right: false,
  disparity: false,
  error: false,
  confidence: false,
  mesh: false,
  color: false,
  meshOptions: { maxPoints: 0, nearest: false, watertight: false, textured: false },
}

/** Draws pictures for the device's own page. Has its own albums: those of the streams have other sizes. */
export class Viewfinder {
  private readonly albums = new Map<string, Album>()

  picture({ part, order, stage }: GlanceOrder): Uint8Array {
    const album = this.albums.get(order.pipeline) ?? new Album()
    this.albums.set(order.pipeline, album)
    if (stage) album.show(stage)
    const take = album.take(order)
    if (part === 'left') {
      const { left } = take({ ...nothing, left: true })
      return bitmap(left?.data ?? new Uint8Array(), order.camera, greys)
    }
    if (part === 'confidence') {
      const { confidence } = take({ ...nothing, confidence: true })
      return bitmap(confidence?.data ?? new Uint8Array(), order.depth, greys)
    }
    const { disparity } = take({ ...nothing, disparity: true })
    return bitmap(depthSteps(disparity?.data ?? new Uint8Array()), order.depth, depthColours)
  }
}

/** From the device to its image thread. */
export type ToImageThread =
  | { do: 'listen'; host: string; port: number; pipelines: number; seed: number }
  | { do: 'state'; state: ServiceState }
  | { do: 'stage'; pipeline: string; stage: Stage }
  | { do: 'take'; order: PictureOrder }
  /** The pictures of a depth image are taken. Nanoseconds since 1970. */
  | { do: 'event'; pipeline: string; at: bigint; ofSet: bigint }
  /** The device knows of the streams up to this number: earlier orders are not for later ones. */
  | { do: 'subscribed'; upTo: number }
  /** A picture for the device's own page. */
  | { do: 'glance'; id: number; order: GlanceOrder }
  | { do: 'close' }

export interface ImageClients {
  camera: number
  depth: number
  events: number
}

/** From the thread to the device. */
export type FromImageThread =
  | { event: 'listening'; port: number }
  | { event: 'not-listening'; code: string; message: string }
  /** Up to the stream of this number, whose client connected some milliseconds ago. */
  | { event: 'clients'; pipeline: string; clients: ImageClients; upTo: number; connectedFor: number }
  /** An order is done; the next one may come. */
  | { event: 'taken'; pipeline: string }
  | { event: 'glanced'; id: number; picture: Uint8Array }
  /** The ports of the image stream could not be reopened. */
  | { event: 'failed'; message: string }
  | { event: 'closed' }
