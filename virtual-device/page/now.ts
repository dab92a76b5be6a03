import type { Device } from '../device/device'
import { PipelineView } from '../images/pipeline-view'
import { caption } from './caption'
import type { Say } from './sentences'
import { sideView } from './side/side-view'

/** What the page shows besides the picture. */
export interface PageNow {
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
