import type { Environment, Module } from '../module'
import { int32 } from '../parameter'
import { drifting } from '../random'
import { navigationRuns } from './navigation-runs'
import { rounded } from '../services/rounded'

/** Highest rate of the odometry, Hz. */
const fastest = 12
/** Our choice: the share of the rate that remains while depth images are computed. */
const besideDepth = 0.88

const corners = [50, 4000] as const

/** Visual odometry. The dynamics module starts and stops it. */
export function stereoVisodo({ clock, random, scenario, parameter, state: stateOf }: Environment): Module {
  const texture = drifting(random, 0.93, 0.06)
  const matched = drifting(random, 0.7, 0.08)
  const slowness = drifting(random, 0.015, 0.01)

  const own = (name: string) => Number(parameter('stereovisodo', name))
  const running = () => navigationRuns(stateOf('dynamics'))
  const depthRuns = () =>
    parameter('stereomatching', 'acquisition_mode') === 'Continuous' && scenario().image_client

  return {
    name: 'stereovisodo',
    scope: 'pipeline',
    license: 'svo',
    parameters: [
      int32('disprange', 256, [32, 512], 'Disparities searched, counted at half resolution', { unit: 'px' }),
      int32('nkey', 4, [1, 4], 'Number of keyframes'),
      int32('ncorner', 500, corners, 'Approximate number of corners to detect'),
      int32('nfeature', 300, corners, 'Most features derived from the corners'),
    ],
    services: {},
    atRest: () => !running(),
    values: () => {
      const time = clock.now()
      const corner = Math.round(own('ncorner') * texture(time))
      const feature = Math.min(own('nfeature'), Math.round(corner * 0.8))
      const rate = Math.min(fastest, Number(parameter('camera', 'fps'))) * (depthRuns() ? besideDepth : 1)
      return {
        corner,
        correspondences: Math.round(feature * matched(time)),
        feature,
        fps: running() ? rounded(rate * (1 - slowness(time))) : 0,
        // Our choices: the time grows with corners and disparities in the first, with features and keyframes in the
        // second.
        time_frame: rounded(0.012 + corner * 1.2e-5 + own('disprange') * 2e-5),
        time_vo: rounded(0.004 + feature * own('nkey') * 1.5e-5),
      }
    },
  }
}
