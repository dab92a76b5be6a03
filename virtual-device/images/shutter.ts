import { startTimeout } from '../../lib/kernel/timers'
import type { Device } from '../device/device'
import { Pace } from '../streams/streams'
import { PipelineView } from './pipeline-view'
import type { PictureOrder } from './image-service'
import type { ImageClients, ToImageThread } from './thread/image-desk'

/** Milliseconds after which a moved clock, a trigger or a changed parameter is noticed at the latest. */
const longestSleep = 20
/** Orders that the thread has not drawn yet, above which pictures that nobody triggered are left out. */
const mostAhead = 2

/** A depth image whose result is not there yet. Seconds of the clock. */
interface ComputedDepth {
  taken: number
  ready: number
  order: PictureOrder
  /** Whether those who wait for it know that a robot may move. */
  told: boolean
}

interface Booth {
  clients: ImageClients
  camera: { rate: number; pace: Pace } | undefined
  depth: { rate: number; pace: Pace } | undefined
  computing: ComputedDepth[]
  /** Triggered depth that was ready while nobody received depth; the latest ones. */
  missed: ComputedDepth[]
  /** What the thread knows of the stage. */
  shown: string | undefined
  /** Orders that the thread has not drawn yet. */
  ahead: number
}

/** Decides when the cameras of a device take pictures, as long as somebody receives them. */
export class Shutter {
  private readonly booths = new Map<string, Booth>()
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(
    private readonly device: Device,
    private readonly post: (message: ToImageThread) => void,
  ) {}

  /**
   * Somebody began or ceased to receive images of a pipeline.
   * @param connectedFor seconds since the client that began has connected: its request may have been on the way for long
   */
  clientsChanged(pipeline: string, clients: ImageClients, connectedFor: number): void {
    const booth = this.booth(pipeline)
    const { camera, depth, events } = booth.clients
    const since = this.device.clock.now() - connectedFor
    // What was triggered and ready before the client came is lost.
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

  /** The thread has drawn a picture. */
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

  /** @returns seconds until more is due */
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

  /** The camera's own pace. */
  private free(view: PipelineView, booth: Booth, now: number): number {
    const rate = booth.clients.camera > 0 ? view.cameraRate : undefined
    booth.camera = paceAt(rate, booth.camera)
    if (!booth.camera) return Infinity
    if (booth.camera.pace.due(now).length > 0 && booth.ahead < mostAhead) this.snap(view, booth, now, false)
    return booth.camera.pace.wait(now)
  }

  /** The pace of depth images that nobody triggers. */
  private compute(view: PipelineView, booth: Booth, now: number): number {
    const { depth, events } = booth.clients
    const period = depth + events > 0 && view.cameraRate !== undefined ? view.depthPeriod : undefined
    booth.depth = paceAt(period === undefined ? undefined : 1 / period, booth.depth)
    if (!booth.depth || period === undefined) return Infinity
    if (booth.depth.pace.due(now).length > 0) this.begin(view, booth, now, now + period, false)
    return booth.depth.pace.wait(now)
  }

  private begin(view: PipelineView, booth: Booth, taken: number, ready: number, triggered: boolean): void {
    booth.computing.push({ taken, ready, told: false, order: view.order('depth', taken, triggered) })
  }

  /** Tells what was taken, and draws what is computed. @returns seconds until more of it is due */
  private finish(view: PipelineView, booth: Booth, now: number): number[] {
    for (const each of booth.computing)
      if (!each.told && each.taken <= now) {
        each.told = true
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
    return booth.computing.map(({ taken, ready, told }) => (told ? ready : taken) - now)
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

/** The same pace as long as the rate is the same. */
function paceAt(rate: number | undefined, before: Booth['camera']): Booth['camera'] {
  if (rate === undefined || before?.rate === rate) return rate === undefined ? undefined : before
  return { rate, pace: new Pace(rate, 0) }
}
