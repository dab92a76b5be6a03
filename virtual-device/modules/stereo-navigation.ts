import { cameraCalibration } from '../cell/sight'
import { type Environment, type Module, bool, float64, int32 } from '../module'
import { drifting } from '../values'
import { rounded } from '../arguments'

/** Inertial navigation. The dynamics module starts and stops it. */
export function stereoIns({ clock, random, state: stateOf }: Environment): Module {
  const frequency = drifting(random, 200, 0.6)

  const state = () => {
    const dynamics = stateOf('dynamics') ?? 'IDLE'
    if (dynamics.startsWith('WAITING_FOR_INS')) return 'INITIALIZING'
    return navigationRuns(dynamics) ? 'RUNNING' : 'IDLE'
  }
  return {
    name: 'stereo_ins',
    scope: 'pipeline',
    license: 'fusion',
    parameters: [],
    services: {},
    state,
    values: () => ({ freq: state() === 'RUNNING' ? rounded(frequency(clock.now())) : 0, state: state() }),
  }
}

const fastest = 12 // highest rate of the odometry, Hz
/** Our choice: the share of the rate that remains while depth images are computed. */
const besideDepth = 0.88

const corners = [50, 4000] as const

/** Visual odometry. The dynamics module starts and stops it. */
export function stereoVisodo({ clock, random, scenario, parameter, state: stateOf }: Environment): Module {
  const texture = drifting(random, 0.93, 0.06)
  const matched = drifting(random, 0.7, 0.08)
  const slowness = drifting(random, 0.015, 0.01)

  const parameterOf = (name: string) => Number(parameter('stereovisodo', name))
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
      const corner = Math.round(parameterOf('ncorner') * texture(time))
      const feature = Math.min(parameterOf('nfeature'), Math.round(corner * 0.8))
      const rate = Math.min(fastest, Number(parameter('camera', 'fps'))) * (depthRuns() ? besideDepth : 1)
      return {
        corner,
        correspondences: Math.round(feature * matched(time)),
        feature,
        fps: running() ? rounded(rate * (1 - slowness(time))) : 0,
        // Our choices: the time grows with corners and disparities in the first, with features and keyframes in the
        // second.
        time_frame: rounded(0.012 + corner * 1.2e-5 + parameterOf('disprange') * 2e-5),
        time_vo: rounded(0.004 + feature * parameterOf('nkey') * 1.5e-5),
      }
    },
  }
}

const gridSize = [0, 10] as const // our choice, as in hand-eye calibration: the sources give no limits

/** The wizard of the camera calibration, at rest unless somebody steps it. Its second step recalibrates the camera. */
export function stereoCalib({ ofPipeline }: Environment): Module {
  const { renewed } = ofPipeline(cameraCalibration)
  let calibrating = false
  return {
    name: 'stereocalib',
    scope: 'pipeline',
    license: 'calibration',
    parameters: [
      float64('grid_width', 0, gridSize, 'Width of the calibration grid', { unit: 'm' }),
      float64('grid_height', 0, gridSize, 'Height of the calibration grid', { unit: 'm' }),
      bool('snap', false, 'Take a calibration snapshot'),
    ],
    services: {
      change_state: {
        description:
          'Steps the internal calibration wizard: begins, then ends with a new calibration of the camera.',
        args: {},
        response: {},
        call: () => {
          calibrating = !calibrating
          if (!calibrating) renewed()
          return {}
        },
      },
    },
    atRest: () => !calibrating,
  }
}

/** States of the dynamics module in which inertial navigation and odometry run. */
export const navigationRuns = (dynamics: string | undefined): boolean =>
  dynamics === 'RUNNING' || dynamics === 'WAITING_FOR_SLAM' || dynamics === 'RUNNING_WITH_SLAM'
