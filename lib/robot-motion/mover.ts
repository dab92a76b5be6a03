import type { Mover } from '../calibration'
import type { MotionOptions } from './motion'
import type { Robot } from './robot'
import { isAtRest } from './state'

/** A robot as a calibration drives it. The confirmation of its pose, and of each motion, is up to the caller. */
export const moverOf = (robot: Robot, options: Omit<MotionOptions, 'signal'> = {}): Mover => ({
  standing: async (signal) => {
    const state = await robot.read(signal)
    return { pose: state.flange, atRest: isAtRest(state) && state.program === 'stopped' }
  },
  moveAlong: async (poses, signal) => {
    await robot.moveAlong(poses, { ...options, signal })
  },
})
