import { composed } from '../../../lib/robotics/pose'
import { registerCounts } from '../state'
import type { WatchdogAction } from '../controller'
import { flangeAt, jointsAt } from '../kinematics'
import { flangeFor } from '../drive'
import type { Builtin, Machine } from './builtins'
import { asPose, numberIn, poseIn, shown, sixIn, textIn, truthIn, ValueError, type Value } from './values'

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

/** Functions that read and change the state of the controller. */
export const stateFunctions = {
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
      controller.tell({ kind: 'text', text: `${shown(one)}${shown(other)}` })
      return undefined
    },
  },
  popup: {
    takes: ['s', 'title', 'warning', 'error', 'blocking'],
    least: 1,
    call: ({ controller }, [text, title, warning, error, blocking]) => {
      controller.tell({
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
