import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Device } from '../device/device'
import { sentence } from '../sentences'
import type { SideService } from '../side-ports/side-service'
import { PipelineView } from './pipeline-view'
import type { ServiceState } from './picture-order'
import { Shutter } from './shutter'
import type { FromImageThread, ToImageThread } from './thread/messages'
import { startTimeout } from '../../lib/timers/timers'

/** Of pipeline 0 on every device. */
const defaultImagePort = 50_051
/** Milliseconds between two looks whether the device has started. */
const bootLook = 20

/** Images, meshes and events over gRPC, in a thread of its own: pipeline p is at the port + p. */
export function imageService(device: Device): SideService {
  const { host, imagePort, seed, variant } = device.options
  let thread: ImageThread | undefined
  return {
    name: 'images',
    option: imagePort,
    defaultPort: defaultImagePort,
    listen: (port) => {
      thread ??= new ImageThread(device)
      const pipelines = variant === 'multi' ? 4 : 1
      // The thread is kept for the next port: to start one takes longer than to try many ports.
      return thread.listen({ do: 'listen', host, port, pipelines, seed })
    },
    close: async () => {
      await thread?.close()
      thread = undefined
    },
  }
}

const gone = (): FromImageThread => ({
  told: 'not-listening',
  code: '',
  message: sentence('worker.gone'),
})

class ImageThread {
  private readonly worker = new Worker(join(__dirname, 'thread', 'image-worker.js'))
  private readonly shutter: Shutter
  private readonly forget: () => void
  private answered: (message: FromImageThread) => void = () => undefined
  private boot: NodeJS.Timeout | undefined
  private ended = false

  constructor(private readonly device: Device) {
    this.shutter = new Shutter(device, (message) => this.post(message))
    this.forget = device.onScenario(() => this.tellState())
    this.worker.on('message', (message: FromImageThread) => this.handle(message))
    this.worker.on('error', (error) => device.note('ERROR', `the image stream ended: ${error.message}`))
    this.worker.on('exit', () => {
      this.ended = true
      this.answered(gone())
    })
  }

  /** Rejects with the error of `listen`. */
  async listen(wanted: ToImageThread): Promise<number> {
    const answer = await this.ask(wanted)
    if (answer.told === 'listening') {
      this.tellState()
      return answer.port
    }
    const { code, message } = answer as FromImageThread & { told: 'not-listening' }
    throw Object.assign(new Error(message), { code })
  }

  async close(): Promise<void> {
    this.forget()
    clearTimeout(this.boot)
    this.shutter.stop()
    if (!this.ended) await this.ask({ do: 'close' })
    await this.worker.terminate()
  }

  private ask(message: ToImageThread): Promise<FromImageThread> {
    if (this.ended) return Promise.resolve(gone())
    return new Promise((resolve) => {
      this.answered = resolve
      this.post(message)
    })
  }

  private post(message: ToImageThread): void {
    this.worker.postMessage(message)
  }

  private handle(message: FromImageThread): void {
    if (message.told === 'clients') {
      this.post({ do: 'subscribed', upTo: message.upTo })
      this.shutter.clientsChanged(message.pipeline, message.clients, message.connectedFor / 1000)
    } else if (message.told === 'taken') this.shutter.taken(message.pipeline)
    else this.answered(message)
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
