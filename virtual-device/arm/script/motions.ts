import { flangeAt } from '../kinematics/forward'
import { jointsAt } from '../kinematics/inverse'
import type { ArmController } from '../control/controller'
import { composed, type Pose } from '../../../lib/robotics/pose'
import { flangeFor } from '../motion/drive'
import type { Builtin, Machine, Wait } from './machine'
import { numberIn, poseIn, ScriptPose, sixIn, ValueError, type Value } from './values'

/** A number of an argument that may be left out. */
const or = (value: Value, byDefault: number) => (value === undefined ? byDefault : numberIn(value))

/** Commands a motion, and waits until it is over. */
function* moving(machine: Machine, command: () => void): Wait {
  yield* standing(machine)
  command()
  machine.mover = machine.thread
  yield* over(machine)
}

/** Waits for the end of what is left of an earlier motion. */
function* standing(machine: Machine): Wait {
  assertFree(machine)
  yield* over(machine)
}

function* over({ controller }: Machine): Wait {
  do yield
  while (controller.drive.moves)
}

function assertFree({ controller, mover, thread, lives }: Machine): void {
  if (controller.drive.moves && mover !== undefined && mover !== thread && lives(mover))
    throw new ValueError('another thread is already controlling the robot')
}

function limitsOf(values: Value[], acceleration: number, speed: number) {
  const limits = {
    acceleration: or(values[1], acceleration),
    speed: or(values[2], speed),
    time: or(values[3], 0),
  }
  if (!(limits.acceleration > 0) || !(limits.speed > 0))
    throw new ValueError('speed and acceleration must be above 0')
  return limits
}

/** Lists are joints, poses are of the active tool. */
const tcpOf = (controller: ArmController, value: Value): Pose =>
  value instanceof ScriptPose
    ? poseIn(value)
    : composed(flangeAt(controller.model, sixIn(value)), controller.drive.tool)

function* line(machine: Machine, values: Value[]): Wait {
  const { controller } = machine
  const limits = limitsOf(values, 1.2, 0.25)
  const to = tcpOf(controller, values[0])
  yield* moving(machine, () => controller.drive.moveLine(to, limits))
}

/** Functions that move the arm. */
export const motions = {
  movel: { takes: ['pose', 'a', 'v', 't', 'r'], least: 1, call: line },
  movep: {
    takes: ['pose', 'a', 'v', 'r'],
    least: 1,
    call: (machine, [pose, a, v]) => line(machine, [pose, a, v]),
  },
  movej: {
    takes: ['q', 'a', 'v', 't', 'r'],
    least: 1,
    call: function* (machine, values): Wait {
      const { controller } = machine
      const limits = limitsOf(values, 1.4, 1.05)
      const [target] = values
      yield* moving(machine, () => {
        const joints =
          target instanceof ScriptPose
            ? jointsAt(
                controller.model,
                flangeFor(poseIn(target), controller.drive.tool),
                controller.drive.joints,
              )
            : sixIn(target)
        if (joints) controller.drive.moveJoints(joints, limits)
        else controller.protectiveStop()
      })
    },
  },
  stopl: {
    takes: ['a', 'aRot'],
    least: 0,
    call: function* (machine, [deceleration]): Wait {
      assertFree(machine)
      machine.mover = machine.thread
      machine.controller.drive.stopLine(Math.max(0.01, or(deceleration, 20)))
      yield* over(machine)
    },
  },
  stopj: {
    takes: ['a'],
    least: 0,
    call: function* (machine, [deceleration]): Wait {
      assertFree(machine)
      machine.mover = machine.thread
      machine.controller.drive.stopJoints(Math.max(0.01, or(deceleration, 20)))
      yield* over(machine)
    },
  },
} as const satisfies Readonly<Record<string, Builtin>>
