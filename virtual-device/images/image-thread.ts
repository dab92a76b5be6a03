import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { startTimeout } from '../../lib/timers/timers'
import type { Device } from '../device/device'
import { sentence } from '../sentences'
import type { GlanceOrder, ServiceState } from './picture-order'
import { PipelineView } from './pipeline-view'
import { Shutter } from './shutter'
import type { FromImageThread, ToImageThread } from './thread/messages'

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
