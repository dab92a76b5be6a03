import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startTimeout } from '../../lib/kernel/timers'
import type { Device } from '../device/device'
import { sentence } from '../start-error'
import type { SideService } from '../side-ports/side-ports'
import { PipelineView } from './pipeline-view'
import type { Matching, Exposure } from './render/exposed'
import { Shutter } from './shutter'
import type { Stage } from './stage'
import type { FromImageThread, ToImageThread } from './thread/image-desk'
import type { Taking } from './wire'

/** Milliseconds between two looks whether the device has started. */
const bootLook = 20

const gone = (): FromImageThread => ({
  told: 'not-listening',
  code: '',
  message: sentence('worker.gone'),
})

/** The thread that draws the images of a device: for its image stream, and for its own page. Begins with the first task. */
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

  /** Serves the image stream. Rejects with the error of `listen`. @returns the first port */
  async listen(wanted: ToImageThread): Promise<number> {
    this.shutter ??= new Shutter(this.device, (message) => this.post(message))
    const answer = await this.ask(wanted)
    if (answer.told === 'listening') {
      this.forget()
      this.forget = this.device.onScenario(() => this.tellState())
      this.tellState()
      return answer.port
    }
    const { code, message } = answer as FromImageThread & { told: 'not-listening' }
    throw Object.assign(new Error(message), { code })
  }

  /** Draws what a camera sees, as a BMP file; undefined once the thread has ended. */
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
    if (message.told === 'clients') {
      this.post({ do: 'subscribed', upTo: message.upTo })
      this.shutter?.clientsChanged(message.pipeline, message.clients, message.connectedFor / 1000)
    } else if (message.told === 'taken') this.shutter?.taken(message.pipeline)
    else if (message.told === 'glanced') {
      this.glances.get(message.id)?.(message.picture)
      this.glances.delete(message.id)
    } else this.answered(message)
  }

  private tellState(): void {
    clearTimeout(this.boot)
    const state = stateOf(this.device)
    this.post({ do: 'state', state })
    if (!state.ready) this.boot = startTimeout(() => this.tellState(), bootLook)
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

/** Of pipeline 0 on every device. */
const defaultImagePort = 50_051

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

/** Everything that a picture needs besides the stage, as plain data for the thread that draws it. */
export interface PictureOrder {
  pipeline: string
  /** A picture for those who want depth, or for those who want camera images only. */
  of: 'camera' | 'depth'
  /** One that was triggered is sent to everybody, others only to those who have read the ones before. */
  triggered: boolean
  taking: Taking
  exposure: Omit<Exposure, 'seed'>
  /** Size of the camera's images, and focal length divided by the width. */
  camera: { width: number; height: number; focal: number }
  /** Size of the depth image, and what it is computed with. */
  depth: { width: number; height: number } & Omit<Matching, 'seed'>
  seed: number
}

/** What a person can look at on the device's own page. */
export const glanceParts = ['left', 'depth', 'confidence'] as const
/** One of `glanceParts`. */
export type GlancePart = (typeof glanceParts)[number]

/** A picture for a person who looks at the device's own page. */
export interface GlanceOrder {
  part: GlancePart
  order: PictureOrder
  /** What stands before the camera, if it has changed since the last order for this pipeline. */
  stage?: Stage
}

/** Why the service answers otherwise than usual. */
export interface ServiceState {
  /** Whether the modules run. */
  ready: boolean
  /** Names of the pipelines, with the licence components that their images lack. */
  pipelines: Readonly<Record<string, { images?: string; depth?: string }>>
  /** From the scenario. */
  stream: 'ok' | 'refused' | 'cut' | 'closed'
  /** Milliseconds by which each set is late. */
  delay: number
  /** Share of sets that are not sent, 0 to 1. */
  drop: number
}
