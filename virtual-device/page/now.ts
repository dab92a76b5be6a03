import type { Device } from '../device/device'
import type { GlanceOrder, GlancePart } from '../images/image-service'
import { PipelineView } from '../images/pipeline-view'
import { caption, type Say } from './page-html'
import { sideView } from './side-view'

/** What the page shows besides the picture. */
interface PageNow {
  /** One line: whether the device runs, and what the arm does. */
  state: string
  ready: boolean
  pipelines: string[]
  /** What stands before the camera, in words. */
  caption: string
  /** The cell from the side, an SVG file; empty while the device does not run. */
  side: string
  scenario: Device['scenario']
}

/** @returns undefined if there is no such pipeline */
export function pageNow(device: Device, name: string, say: Say): PageNow | undefined {
  const pipeline = device.pipelines.get(name)
  if (!pipeline) return undefined
  const ready = device.phase === 'ready'
  const view = new PipelineView(device, name, pipeline)
  return {
    state: stateOf(device, say),
    ready,
    pipelines: [...device.pipelines.keys()],
    caption: ready ? caption(view, say) : '',
    side: ready ? sideView(view, device.hand, device.clock.now(), say) : '',
    scenario: device.scenario,
  }
}

function stateOf({ phase, scenario, hand }: Device, say: Say): string {
  const own =
    phase !== 'ready' ? say('state.restarts') : scenario.offline ? say('state.offline') : say('state.runs')
  if (!hand) return own
  const { moves } = hand.truth() as { moves: boolean }
  return `${own} ${say(moves ? 'state.armMoves' : 'state.armStands')}`
}

/** Draws what a camera sees, as a BMP file; undefined once the thread that draws has ended. */
export type Glance = (order: GlanceOrder) => Promise<Uint8Array | undefined>

/** Milliseconds for which a picture is shown to everybody who asks. */
const freshFor = 400
/** Width of a picture, pixels. */
const widest = 640

interface Shown {
  picture: Promise<Uint8Array | undefined>
  /** When it was drawn, by a clock that never steps; undefined while it is being drawn. */
  at?: number
}

/** The pictures of the device's own page: at most two or three a second of each kind, whoever asks. */
export class Glances {
  private readonly shown = new Map<string, Shown>()
  /** What the thread knows of each stage. */
  private readonly stages = new Map<string, string>()

  constructor(
    private readonly device: Device,
    private readonly glance: Glance,
  ) {}

  /** @returns undefined if there is no such pipeline, or while the device does not run */
  picture(pipeline: string, part: GlancePart): Promise<Uint8Array | undefined> {
    const key = `${pipeline} ${part}`
    const last = this.shown.get(key)
    if (last && (last.at === undefined || performance.now() - last.at < freshFor)) return last.picture
    const order = this.order(pipeline, part)
    if (!order) return Promise.resolve(undefined)
    const next: Shown = { picture: this.glance(order) }
    this.shown.set(key, next)
    void next.picture.then(() => (next.at = performance.now()))
    return next.picture
  }

  private order(name: string, part: GlancePart): GlanceOrder | undefined {
    const pipeline = this.device.pipelines.get(name)
    if (!pipeline || this.device.phase !== 'ready') return undefined
    const view = new PipelineView(this.device, name, pipeline)
    const { key, stage } = view.stage()
    const isNew = this.stages.get(name) !== key
    this.stages.set(name, key)
    const full = view.order('depth', this.device.clock.now(), false)
    const share = Math.min(1, widest / full.camera.width)
    const size = {
      width: Math.round(full.camera.width * share),
      height: Math.round(full.camera.height * share),
    }
    const { x, y } = full.exposure.blur
    const order = {
      ...full,
      camera: { ...full.camera, ...size },
      depth: { ...full.depth, ...size },
      exposure: { ...full.exposure, blur: { x: x * share, y: y * share } },
    }
    return { part, order, ...(isNew && { stage: stage() }) }
  }
}
