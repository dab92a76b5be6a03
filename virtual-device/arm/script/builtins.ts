/** The functions of the language: computations, motions, state, and the table of all of them. */
import {
  composed,
  distance,
  inverted,
  type Pose,
  product,
  conjugated,
  ofRotationVector,
  rotationVectorOf,
} from '../../../lib/robotics/pose'
import type { ArmController, WatchdogAction } from '../controller'
import { flangeFor } from '../drive'
import { flangeAt, jointsAt } from '../kinematics'
import { type ScriptSockets, socketFunctions } from './sockets'
import {
  asPose,
  numberIn,
  poseIn,
  ScriptPose,
  shown,
  sixIn,
  type Value,
  ValueError,
  textIn,
  truthIn,
} from './values'
import { registerCounts } from '../state'

const reading = (read: (machine: Machine) => Value): Builtin => ({
  takes: [],
  least: 0,
  call: (machine) => read(machine),
})

const numbered = (kind: keyof typeof registerCounts, value: Value): number => {
  const index = numberIn(value)
  if (!Number.isInteger(index) || index < 0 || index >= registerCounts[kind])
    throw new ValueError(`there is no register ${shown(value)}`)
  return index
}

const readRegister = (side: 'inputs' | 'outputs', kind: keyof typeof registerCounts): Builtin => ({
  takes: ['address'],
  least: 1,
  call: ({ controller }, [address]) =>
    controller[side][kind].get(numbered(kind, address)) ?? (kind === 'bits' ? false : 0),
})

const digital = (count: number, value: Value): number => {
  const index = numberIn(value)
  if (!Number.isInteger(index) || index < 0 || index >= count)
    throw new ValueError(`there is no digital signal ${shown(value)}`)
  return index
}

function writeDigital(count: number, bitOf: (index: number) => number): Builtin {
  return {
    takes: ['n', 'b'],
    least: 2,
    call: ({ controller }, [index, value]) => {
      const bit = 1 << bitOf(digital(count, index))
      if (truthIn(value)) controller.digitalOutputs |= bit
      else controller.digitalOutputs &= ~bit
      return undefined
    },
  }
}

function readDigital(count: number, bitOf: (index: number) => number | undefined): Builtin {
  return {
    takes: ['n'],
    least: 1,
    call: ({ controller }, [index]) => {
      const bit = bitOf(digital(count, index))
      return bit !== undefined && ((controller.digitalOutputs >> bit) & 1) === 1
    },
  }
}

const inverse = (machine: Machine, [pose, near, , , tcp]: Value[]) => {
  const { controller } = machine
  const from = near === undefined ? controller.drive.joints : sixIn(near)
  const tool = tcp === undefined ? controller.drive.tool : poseIn(tcp)
  return jointsAt(controller.model, flangeFor(poseIn(pose), tool), from)
}

const inverseArguments = ['x', 'qnear', 'maxPositionError', 'maxOrientationError', 'tcp']

const stateFunctions = {
  get_actual_tcp_pose: reading(({ controller }) => asPose(controller.drive.tcp)),
  get_target_tcp_pose: reading(({ controller }) => asPose(controller.drive.tcp)),
  get_actual_tool_flange_pose: reading(({ controller }) => asPose(controller.drive.flange)),
  get_actual_joint_positions: reading(({ controller }) => [...controller.drive.joints]),
  get_target_joint_positions: reading(({ controller }) => [...controller.drive.joints]),
  get_actual_joint_speeds: reading(({ controller }) => [...controller.drive.speeds]),
  get_actual_tcp_speed: reading(({ controller }) => [...controller.drive.tcpSpeed]),
  get_tcp_offset: reading(({ controller }) => asPose(controller.drive.tool)),
  get_target_payload: reading(({ controller }) => controller.payload),
  get_target_payload_cog: reading(({ controller }) => [...controller.centre]),
  get_steptime: reading(({ controller }) => controller.cycle),
  is_steady: reading(({ controller }) => !controller.drive.moves),
  get_forward_kin: {
    takes: ['q', 'tcp'],
    least: 0,
    call: ({ controller }, [joints, tcp]) =>
      asPose(
        composed(
          flangeAt(controller.model, joints === undefined ? controller.drive.joints : sixIn(joints)),
          tcp === undefined ? controller.drive.tool : poseIn(tcp),
        ),
      ),
  },
  get_inverse_kin: {
    takes: inverseArguments,
    least: 1,
    call: (machine, values) => {
      const joints = inverse(machine, values)
      if (!joints) throw new ValueError('get_inverse_kin: unable to find an inverse kinematics solution')
      return joints
    },
  },
  get_inverse_kin_has_solution: {
    takes: inverseArguments,
    least: 1,
    call: (machine, values) => inverse(machine, values) !== undefined,
  },
  is_within_safety_limits: {
    takes: ['pose', 'qnear'],
    least: 1,
    call: (machine, values) =>
      Array.isArray(values[0]) || inverse(machine, [values[0], values[1]]) !== undefined,
  },
  set_tcp: {
    takes: ['pose', 'tcp_name'],
    least: 1,
    call: ({ controller }, [pose]) => {
      controller.drive.tool = poseIn(pose)
      return undefined
    },
  },
  set_payload: { takes: ['m', 'cog', 'inertia'], least: 1, call: setPayload },
  set_target_payload: { takes: ['m', 'cog', 'inertia', 'transition_time'], least: 1, call: setPayload },
  read_input_boolean_register: readRegister('inputs', 'bits'),
  read_input_integer_register: readRegister('inputs', 'integers'),
  read_input_float_register: readRegister('inputs', 'doubles'),
  read_output_boolean_register: readRegister('outputs', 'bits'),
  read_output_integer_register: readRegister('outputs', 'integers'),
  read_output_float_register: readRegister('outputs', 'doubles'),
  write_output_boolean_register: {
    takes: ['address', 'value'],
    least: 2,
    call: ({ controller }, [address, value]) =>
      void controller.outputs.bits.set(numbered('bits', address), truthIn(value)),
  },
  write_output_integer_register: {
    takes: ['address', 'value'],
    least: 2,
    call: ({ controller }, [address, value]) =>
      void controller.outputs.integers.set(numbered('integers', address), Math.trunc(numberIn(value)) | 0),
  },
  write_output_float_register: {
    takes: ['address', 'value'],
    least: 2,
    call: ({ controller }, [address, value]) =>
      void controller.outputs.doubles.set(numbered('doubles', address), numberIn(value)),
  },
  rtde_set_watchdog: {
    takes: ['variable_name', 'min_frequency', 'action'],
    least: 2,
    call: ({ controller }, [field, frequency, action]) => {
      const rate = numberIn(frequency)
      const then = action === undefined ? 'pause' : textIn(action)
      if (!['pause', 'stop', 'ignore'].includes(then)) throw new ValueError(`unknown action ${then}`)
      const seconds = rate > 0 ? 1 / rate : 0
      controller.watchdogs.watch(textIn(field), seconds, then as WatchdogAction, controller.time)
      return undefined
    },
  },
  set_digital_out: writeDigital(10, (index) => (index < 8 ? index : index + 8)),
  set_standard_digital_out: writeDigital(8, (index) => index),
  set_configurable_digital_out: writeDigital(8, (index) => index + 8),
  set_tool_digital_out: writeDigital(2, (index) => index + 16),
  get_digital_out: readDigital(10, (index) => (index < 8 ? index : index + 8)),
  get_standard_digital_out: readDigital(8, (index) => index),
  get_configurable_digital_out: readDigital(8, (index) => index + 8),
  get_tool_digital_out: readDigital(2, (index) => index + 16),
  /** Nothing is wired to the inputs. */
  get_digital_in: readDigital(10, () => undefined),
  get_standard_digital_in: readDigital(8, () => undefined),
  get_configurable_digital_in: readDigital(8, () => undefined),
  get_tool_digital_in: readDigital(2, () => undefined),
  textmsg: {
    takes: ['s1', 's2'],
    least: 1,
    call: ({ controller }, [one, other]) => {
      controller.send({ kind: 'text', text: `${shown(one)}${shown(other)}` })
      return undefined
    },
  },
  popup: {
    takes: ['s', 'title', 'warning', 'error', 'blocking'],
    least: 1,
    call: ({ controller }, [text, title, warning, error, blocking]) => {
      controller.send({
        kind: 'popup',
        title: title === undefined ? 'Popup' : shown(title),
        text: shown(text),
        level: error === true ? 'error' : warning === true ? 'warning' : 'message',
        blocking: blocking === true,
      })
      return undefined
    },
  },
  sync: {
    takes: [],
    least: 0,
    call: function* () {
      yield
      return undefined
    },
  },
  sleep: {
    takes: ['t'],
    least: 1,
    call: function* ({ controller }, [seconds]) {
      const end = controller.time + numberIn(seconds) - controller.cycle / 2
      do yield
      while (controller.time < end)
      return undefined
    },
  },
} as const satisfies Readonly<Record<string, Builtin>>

function setPayload({ controller }: Machine, [mass, centre]: Value[]): undefined {
  controller.payload = numberIn(mass)
  if (Array.isArray(centre)) {
    const [x, y, z] = centre
    controller.centre = [numberIn(x), numberIn(y), numberIn(z)]
  }
}

export interface Machine {
  controller: ArmController
  sockets: ScriptSockets
  thread: number
  /** Id of the thread that commanded the current motion. */
  mover: number | undefined
  lives: (thread: number) => boolean
}

/** Yields at the end of each cycle. */
type Wait = Generator<void, undefined, void>

export interface Builtin {
  /** Names of the arguments, in order; the first `least` have no default. */
  takes: readonly string[]
  least: number
  /** At once, or waiting for cycles. */
  call: (machine: Machine, values: Value[]) => Value | Generator<void, Value, void>
}

const ofNumbers = (takes: readonly string[], compute: (...numbers: number[]) => number): Builtin => ({
  takes,
  least: takes.length,
  call: (_, values) => compute(...takes.map((_name, index) => numberIn(values[index]))),
})

const ofOne = (compute: (number: number) => number) => ofNumbers(['f'], compute)

const ofPoses = (takes: readonly string[], call: (...values: Value[]) => Value): Builtin => ({
  takes,
  least: takes.length,
  call: (_, values) => call(...values),
})

const listLength: Builtin = {
  takes: ['v'],
  least: 1,
  call: (_, [value]) => {
    if (Array.isArray(value) || typeof value === 'string') return value.length
    if (value instanceof ScriptPose) return 6
    throw new ValueError(`list expected, got ${shown(value)}`)
  },
}

const computations = {
  sin: ofOne(Math.sin),
  cos: ofOne(Math.cos),
  tan: ofOne(Math.tan),
  asin: ofOne(Math.asin),
  acos: ofOne(Math.acos),
  atan: ofOne(Math.atan),
  sqrt: ofOne(Math.sqrt),
  floor: ofOne(Math.floor),
  ceil: ofOne(Math.ceil),
  d2r: ofOne((angle) => (angle * Math.PI) / 180),
  r2d: ofOne((angle) => (angle * 180) / Math.PI),
  atan2: ofNumbers(['x', 'y'], Math.atan2),
  pow: ofNumbers(['base', 'exponent'], Math.pow),
  norm: {
    takes: ['a'],
    least: 1,
    call: (_, [value]) =>
      Array.isArray(value) ? Math.hypot(...value.map(numberIn)) : Math.abs(numberIn(value)),
  },
  get_list_length: listLength,
  length: listLength,
  to_str: { takes: ['val'], least: 1, call: (_, [value]) => shown(value) },
  str_cat: { takes: ['op1', 'op2'], least: 2, call: (_, [one, other]) => `${shown(one)}${shown(other)}` },
  pose_trans: ofPoses(['p_from', 'p_from_to'], (from, to) => asPose(composed(poseIn(from), poseIn(to)))),
  pose_inv: ofPoses(['p_from'], (from) => asPose(inverted(poseIn(from)))),
  /** Positions are added, rotations multiplied. */
  pose_add: ofPoses(['p_1', 'p_2'], (one, other) => {
    const [a, b] = [poseIn(one), poseIn(other)]
    return asPose({
      position: {
        x: a.position.x + b.position.x,
        y: a.position.y + b.position.y,
        z: a.position.z + b.position.z,
      },
      orientation: product(a.orientation, b.orientation),
    })
  }),
  pose_sub: ofPoses(['p_to', 'p_from'], (to, from) => {
    const [a, b] = [poseIn(to), poseIn(from)]
    return asPose({
      position: {
        x: a.position.x - b.position.x,
        y: a.position.y - b.position.y,
        z: a.position.z - b.position.z,
      },
      orientation: product(a.orientation, conjugated(b.orientation)),
    })
  }),
  pose_dist: ofPoses(['p_from', 'p_to'], (from, to) => {
    const [a, b] = [poseIn(from), poseIn(to)]
    const turn = rotationVectorOf(product(b.orientation, conjugated(a.orientation)))
    return Math.hypot(distance(a.position, b.position), turn.x, turn.y, turn.z)
  }),
  point_dist: ofPoses(['p_from', 'p_to'], (from, to) => distance(poseIn(from).position, poseIn(to).position)),
  interpolate_pose: ofPoses(['p_from', 'p_to', 'alpha'], (from, to, alpha) => {
    const [a, b, share] = [poseIn(from), poseIn(to), numberIn(alpha)]
    const turn = rotationVectorOf(product(b.orientation, conjugated(a.orientation)))
    const part = { x: share * turn.x, y: share * turn.y, z: share * turn.z }
    const [p, q] = [sixIn(from), sixIn(to)]
    return asPose({
      position: {
        x: p[0] + share * (q[0] - p[0]),
        y: p[1] + share * (q[1] - p[1]),
        z: p[2] + share * (q[2] - p[2]),
      },
      orientation: product(ofRotationVector(part), a.orientation),
    })
  }),
} as const satisfies Readonly<Record<string, Builtin>>

const or = (value: Value, byDefault: number) => (value === undefined ? byDefault : numberIn(value))

function* moving(machine: Machine, command: () => void): Wait {
  yield* resting(machine)
  command()
  machine.mover = machine.thread
  yield* over(machine)
}

function* resting(machine: Machine): Wait {
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

const motions = {
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

/** The supported subset of the language. */
export const builtins: Readonly<Partial<Record<string, Builtin>>> = {
  ...motions,
  ...stateFunctions,
  ...computations,
  ...socketFunctions,
}

export const constants: Readonly<Partial<Record<string, Value>>> = {
  pi: Math.PI,
  enter_critical: undefined,
  exit_critical: undefined,
}
