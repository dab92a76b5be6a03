import type { Environment, Module } from '../module'
import { drifting } from '../random'
import { navigationRuns } from './navigation-runs'
import { rounded } from '../services/rounded'

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
