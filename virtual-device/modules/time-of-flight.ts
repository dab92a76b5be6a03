import type { Environment, Module } from '../module'
import { drifting } from '../random'
import { depthTrigger } from './depth-trigger'
import { rounded } from '../services/rounded'
import { timeOfFlightParameters } from './time-of-flight.parameters'

/** Our choices: the sources give neither the size of the depth image nor its duration. */
const size = { width: 640, height: 480 }
const capture = 0.05

/** Depth from the time of flight of light. */
export function timeOfFlight(environment: Environment): Module {
  const { clock, random, scenario, parameter } = environment
  const slowness = drifting(random, 0.01, 0.005)
  const own = (name: string) => parameter('time_of_flight', name)
  const period = () => Math.max(capture, 1 / Number(parameter('camera', 'fps')))
  const triggers = depthTrigger(environment, { ready: period, period })

  return {
    name: 'time_of_flight',
    scope: 'pipeline',
    lockedByGenicam: true,
    parameters: timeOfFlightParameters,
    services: triggers.services,
    values: () => {
      const slower = 1 + slowness(clock.now())
      const continuous = scenario().image_client ? 1 / (period() * slower) : 0
      return {
        fps: rounded(own('acquisition_mode') === 'Continuous' ? continuous : triggers.perSecond()),
        latency: rounded(period() * slower),
        ...size,
        mindepth: Number(own('mindepth')),
        maxdepth: Number(own('maxdepth')),
      }
    },
  }
}
