import type { Mover } from '../calibration'
import type { MotionOptions } from './motion'
import type { Robot } from './robot'
import { isAtRest } from './state'

/**
 * A robot as a calibration drives it. The confirmation of its pose, and of each motion, is up to the caller. After a stop,
 * whoever sent it, this mover moves no more: a calibration that goes on takes another.
 */
export function moverOf(robot: Robot, options: Omit<MotionOptions, 'signal'> = {}): Mover {
  const { turn } = robot
  return {
    standing: async (signal) => {
      const state = await robot.read(signal)
      return { pose: state.flange, atRest: isAtRest(state) && state.program === 'stopped' }
    },
    moveAlong: async (poses, signal) => {
      turn.check()
      await robot.moveAlong(poses, { ...options, signal })
    },
  }
}
