import type { Environment, Module } from '../module'
import { choice, float64, text } from '../parameter'
import { drifting } from '../random'
import { depthTrigger } from './depth-trigger'
import { rounded } from '../services/rounded'

const depth = [0.3, 100] as const
/** Our choices: the sources give neither the size of the depth image nor the duration of the projected patterns. */
const size = { width: 1280, height: 960 }
const capture = 0.5

/** Depth from projected patterns. */
export function structuredLight(environment: Environment): Module {
  const { clock, now, random, scenario, parameter } = environment
  const slowness = drifting(random, 0.03, 0.02)
  const period = () => Math.max(capture, 1 / Number(parameter('camera', 'fps')))
  const triggers = depthTrigger(environment, { ready: period, period })

  return {
    name: 'structured_light',
    scope: 'pipeline',
    lockedByGenicam: true,
    parameters: [
      choice(
        'acquisition_mode',
        'SingleFrame',
        ['Continuous', 'SingleFrame'],
        'When depth images are captured',
      ),
      float64('maxdepth', 100, depth, 'Farthest depth kept', { unit: 'm' }),
      float64('mindepth', 0.3, depth, 'Nearest depth kept', { unit: 'm' }),
      text('preset_name', '', 'Name of a capture preset'),
    ],
    services: triggers.services,
    values: () => {
      const slower = 1 + slowness(clock.now())
      const continuous = parameter('structured_light', 'acquisition_mode') === 'Continuous'
      const rate = scenario().image_client ? 1 / (period() * slower) : 0
      return {
        fps: rounded(continuous ? rate : triggers.perSecond()),
        ...size,
        last_timestamp_grabbed: continuous && rate > 0 ? now() : triggers.last(),
        latency: rounded(period() * slower),
      }
    },
  }
}
