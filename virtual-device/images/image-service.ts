/** The image service: the thread that draws, and the picture times of each pipeline. */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startTimeout } from '../../lib/kernel/timers'
import type { Device } from '../device/device'
import { Pace } from '../streams/streams'
import { PipelineView } from './pipeline-view'
import type { ImageClients, ToImageThread, FromImageThread } from './thread/image-desk'
import { sentence } from '../start-error'
import type { SideService } from '../side-ports'
import type { Matching, Exposure } from './render/exposed'
import type { Stage } from './stage'
import type { Taking } from './wire'

const bootPoll = 20 // milliseconds between two polls of a starting device

const gone = (): FromImageThread => ({
  event: 'not-listening',
  code: '',
  message: sentence('worker.gone'),
})

/** The thread that draws the images of a device, for its image stream and its own page. Starts with the first task. */
export class ImageThread {
  private started: Worker | undefined
  private shutter: Shutter | undefined
  private forget: () => void = () => undefined
  private answered: (message: FromImageThread) => void = () => undefined
  private readonly glances = new Map<number, (picture: Uint8Array | undefined) => void>()
  private lastGlance = 0
  private boot: NodeJS.Timeout | undefined
  private ended = false

  constructor(private readonly device: Device) {}

  /** Serves the image stream. @returns the first port; rejects with the error of `listen` */
  async listen(wanted: ToImageThread): Promise<number> {
    this.shutter ??= new Shutter(this.device, (message) => this.post(message))
    const answer = await this.ask(wanted)
    if (answer.event === 'listening') {
      this.forget()
      this.forget = this.device.onScenario(() => this.sendState())
      this.sendState()
      return answer.port
    }
    const { code, message } = answer as FromImageThread & { event: 'not-listening' }
    throw Object.assign(new Error(message), { code })
  }

  /** Draws a camera's view as a BMP file; undefined once the thread has ended. */
  glance(order: GlanceOrder): Promise<Uint8Array | undefined> {
    if (this.ended) return Promise.resolve(undefined)
    const id = ++this.lastGlance
    return new Promise((resolve) => {
      this.glances.set(id, resolve)
      this.post({ do: 'glance', id, order })
    })
  }

  async close(): Promise<void> {
    this.forget()
    clearTimeout(this.boot)
    this.shutter?.stop()
    if (this.started && !this.ended) await this.ask({ do: 'close' })
    this.end()
    await this.started?.terminate()
  }

  private ask(message: ToImageThread): Promise<FromImageThread> {
    if (this.ended) return Promise.resolve(gone())
    return new Promise((resolve) => {
      this.answered = resolve
      this.post(message)
    })
  }

  private post(message: ToImageThread): void {
    this.started ??= this.start()
    this.started.postMessage(message)
  }

  private start(): Worker {
    const worker = new Worker(join(__dirname, 'thread', 'image-worker.js'))
    worker.on('message', (message: FromImageThread) => this.handle(message))
    worker.on('error', (error) => this.device.note('ERROR', `the image stream ended: ${error.message}`))
    worker.on('exit', () => this.end())
    return worker
  }

  private end(): void {
    this.ended = true
    this.answered(gone())
    for (const resolve of this.glances.values()) resolve(undefined)
    this.glances.clear()
  }

  private handle(message: FromImageThread): void {
    if (message.event === 'clients') {
      this.post({ do: 'subscribed', upTo: message.upTo })
      this.shutter?.clientsChanged(message.pipeline, message.clients, message.connectedFor / 1000)
    } else if (message.event === 'taken') this.shutter?.taken(message.pipeline)
    else if (message.event === 'glanced') {
      this.glances.get(message.id)?.(message.picture)
      this.glances.delete(message.id)
    } else if (message.event === 'failed')
      this.device.note('ERROR', `the image stream is closed: ${message.message}`)
    else this.answered(message)
  }

  private sendState(): void {
    clearTimeout(this.boot)
    const state = stateOf(this.device)
    this.post({ do: 'state', state })
    if (!state.ready) this.boot = startTimeout(() => this.sendState(), bootPoll)
  }
}

function stateOf(device: Device): ServiceState {
  const { image_stream, image_delay_ms, drop_images, offline } = device.scenario
  const pipelines = [...device.pipelines].map(([name, pipeline]) => {
    const { missingLicences } = new PipelineView(device, name, pipeline)
    return [name, missingLicences] as const
  })
  return {
    ready: device.phase === 'ready',
    pipelines: Object.fromEntries(pipelines),
    stream: offline ? 'closed' : image_stream,
    delay: image_delay_ms,
    drop: drop_images,
  }
}

const defaultImagePort = 50_051 // of pipeline 0 on every device

/** Images, meshes and events over gRPC, in a thread of its own: pipeline p is at the port + p. */
export function imageService({ options }: Device, thread: ImageThread): SideService {
  const { host, imagePort, seed, variant } = options
  return {
    name: 'images',
    option: imagePort,
    defaultPort: defaultImagePort,
    listen: (port) => {
      const pipelines = variant === 'multi' ? 4 : 1
      return thread.listen({ do: 'listen', host, port, pipelines, seed })
    },
    close: () => thread.close(),
  }
}

/** A picture as plain data for the drawing thread, without the stage. */
export interface PictureOrder {
  pipeline: string
  /** For clients of depth, or of camera images only. */
  of: 'camera' | 'depth'
  /** Triggered ones are sent to all clients, others only to those who have read the ones before. */
  triggered: boolean
  taking: Taking
  exposure: Omit<Exposure, 'seed'>
  /** Size of the camera's images, and focal length divided by the width. */
  camera: { width: number; height: number; focal: number }
  /** Size and parameters of the depth image. */
  depth: { width: number; height: number } & Omit<Matching, 'seed'>
  seed: number
}

/** Pictures on the device's own page. */
export const glanceParts = ['left', 'depth', 'confidence'] as const

export type GlancePart = (typeof glanceParts)[number]

export interface GlanceOrder {
  part: GlancePart
  order: PictureOrder
  /** The scene, if it has changed since the last order for this pipeline. */
  stage?: Stage
}

export interface ServiceState {
  ready: boolean
  /** By name, with the licence components that their images lack. */
  pipelines: Readonly<Record<string, { images?: string; depth?: string }>>
  /** From the scenario. */
  stream: 'ok' | 'refused' | 'cut' | 'closed'
  /** Added to each set, milliseconds. */
  delay: number
  /** Share of dropped sets, 0 to 1. */
  drop: number
}

/** Milliseconds until a moved clock, a trigger or a changed parameter is noticed. */
const longestSleep = 20

const mostAhead = 2 // pending orders above which untriggered pictures are skipped

/** A depth image in computation. Seconds of the clock. */
interface ComputedDepth {
  taken: number
  ready: number
  order: PictureOrder
  announced: boolean
}

interface Booth {
  clients: ImageClients
  camera: { rate: number; pace: Pace } | undefined
  depth: { rate: number; pace: Pace } | undefined
  computing: ComputedDepth[]
  /** Triggered depth that was ready while no client received depth; the latest ones. */
  missed: ComputedDepth[]
  /** Key of the thread's stage. */
  shown: string | undefined
  ahead: number
}

/** Decides when the cameras of a device take pictures, while a client receives them. */
class Shutter {
  private readonly booths = new Map<string, Booth>()
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(
    private readonly device: Device,
    private readonly post: (message: ToImageThread) => void,
  ) {}

  /** @param connectedFor seconds since a new client has connected: its request may have been in transit for that long */
  clientsChanged(pipeline: string, clients: ImageClients, connectedFor: number): void {
    const booth = this.booth(pipeline)
    const { camera, depth, events } = booth.clients
    const since = this.device.clock.now() - connectedFor
    // Triggered pictures that were ready before the client came are lost.
    if (camera + depth + events === 0) this.drop(pipeline, since)
    booth.clients = clients
    if (depth === 0 && clients.depth > 0) {
      booth.computing.push(...booth.missed.filter(({ ready }) => ready > since))
      booth.missed = []
    }
    const triggers = this.view(pipeline)?.triggers
    if (triggers) triggers.depthClients = clients.depth
    this.look()
  }

  taken(pipeline: string): void {
    this.booth(pipeline).ahead -= 1
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private drop(pipeline: string, before: number): void {
    const now = this.device.clock.now()
    const triggers = this.view(pipeline)?.triggers
    for (const each of triggers?.fetch() ?? [])
      // Camera pictures can be triggered faster than they are drawn.
      if (each.ready > (each.of === 'depth' ? before : now)) triggers?.add(each)
  }

  private look(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.stopped) return
    const busy = [...this.booths].filter(([, { clients, computing }]) => isBusy(clients, computing.length))
    if (busy.length === 0) return
    const waits = this.device.phase === 'ready' ? busy.map((each) => this.work(...each)) : []
    const sleep = Math.min(longestSleep, ...waits.map((seconds) => Math.ceil(1000 * seconds)))
    this.timer = startTimeout(() => this.look(), Math.max(1, sleep))
  }

  /** @returns seconds until the next work */
  private work(pipeline: string, booth: Booth): number {
    const view = this.view(pipeline)
    if (!view) return Infinity
    const now = this.device.clock.now()
    const { triggers } = view
    if (triggers) {
      // After a reboot, the modules are new.
      triggers.depthClients = booth.clients.depth
      triggers.onTrigger = () => this.look()
    }
    for (const { of, taken, ready } of triggers?.fetch() ?? []) {
      if (of === 'depth') this.begin(view, booth, taken, ready, true)
      else {
        this.snap(view, booth, now, true)
        const period = view.depthPeriod
        if (period !== undefined) this.begin(view, booth, now, now + period, true)
      }
    }
    const cameraWait = this.free(view, booth, now)
    const depthWait = this.compute(view, booth, now)
    return Math.min(cameraWait, depthWait, ...this.finish(view, booth, now))
  }

  private free(view: PipelineView, booth: Booth, now: number): number {
    const rate = booth.clients.camera > 0 ? view.cameraRate : undefined
    booth.camera = paceAt(rate, booth.camera)
    if (!booth.camera) return Infinity
    if (booth.camera.pace.due(now).length > 0 && booth.ahead < mostAhead) this.snap(view, booth, now, false)
    return booth.camera.pace.wait(now)
  }

  private compute(view: PipelineView, booth: Booth, now: number): number {
    const { depth, events } = booth.clients
    const period = depth + events > 0 && view.cameraRate !== undefined ? view.depthPeriod : undefined
    booth.depth = paceAt(period === undefined ? undefined : 1 / period, booth.depth)
    if (!booth.depth || period === undefined) return Infinity
    if (booth.depth.pace.due(now).length > 0) this.begin(view, booth, now, now + period, false)
    return booth.depth.pace.wait(now)
  }

  private begin(view: PipelineView, booth: Booth, taken: number, ready: number, triggered: boolean): void {
    booth.computing.push({ taken, ready, announced: false, order: view.order('depth', taken, triggered) })
  }

  /** Announces taken pictures, and draws computed ones. @returns seconds until the next ones are due */
  private finish(view: PipelineView, booth: Booth, now: number): number[] {
    for (const each of booth.computing)
      if (!each.announced && each.taken <= now) {
        each.announced = true
        const { pipeline, taking } = each.order
        if (booth.clients.events > 0)
          this.post({ do: 'event', pipeline, at: taking.time, ofSet: taking.time })
      }
    const due = booth.computing.filter(({ ready }) => ready <= now)
    booth.computing = booth.computing.filter(({ ready }) => ready > now)
    for (const each of due) {
      if (each.order.triggered && booth.clients.depth === 0) booth.missed = [...booth.missed.slice(-1), each]
      else if (each.order.triggered || booth.ahead < mostAhead) this.draw(view, booth, each.order)
    }
    return booth.computing.map(({ taken, ready, announced }) => (announced ? ready : taken) - now)
  }

  private snap(view: PipelineView, booth: Booth, now: number, triggered: boolean): void {
    if (booth.clients.camera > 0) this.draw(view, booth, view.order('camera', now, triggered))
  }

  private draw(view: PipelineView, booth: Booth, order: PictureOrder): void {
    const { key, stage } = view.stage()
    if (booth.shown !== key) this.post({ do: 'stage', pipeline: view.name, stage: stage() })
    booth.shown = key
    booth.ahead += 1
    this.post({ do: 'take', order })
  }

  private booth(pipeline: string): Booth {
    const known = this.booths.get(pipeline)
    if (known) return known
    const made: Booth = {
      clients: { camera: 0, depth: 0, events: 0 },
      camera: undefined,
      depth: undefined,
      computing: [],
      missed: [],
      shown: undefined,
      ahead: 0,
    }
    this.booths.set(pipeline, made)
    return made
  }

  private view(name: string): PipelineView | undefined {
    const pipeline = this.device.pipelines.get(name)
    return pipeline && new PipelineView(this.device, name, pipeline)
  }
}

const isBusy = ({ camera, depth, events }: ImageClients, computing: number) =>
  camera + depth + events + computing > 0

function paceAt(rate: number | undefined, before: Booth['camera']): Booth['camera'] {
  if (rate === undefined || before?.rate === rate) return rate === undefined ? undefined : before
  return { rate, pace: new Pace(rate, 0) }
}
