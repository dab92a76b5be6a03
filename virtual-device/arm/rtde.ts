/** The fields of the real-time data exchange: types, sources and targets, and encoding. */
import type { Socket } from 'node:net'
import type { ArmController } from './controller'
import { linkPoses, zeros } from './kinematics'
import { sixOfPose } from './script/values'
import { robotModes, runtimeStates, safetyBits, safetyModes } from './state'
import type { Arm } from './arm'

const vectors: Readonly<Partial<Record<FieldType, readonly [FieldType, number]>>> = {
  VECTOR3D: ['DOUBLE', 3],
  VECTOR6D: ['DOUBLE', 6],
  VECTOR6INT32: ['INT32', 6],
  VECTOR6UINT32: ['UINT32', 6],
}

const sizes: Readonly<Partial<Record<FieldType, number>>> = {
  ...{ BOOL: 1, UINT8: 1, UINT32: 4, INT32: 4, UINT64: 8, DOUBLE: 8 },
}

export function sizeOf(type: FieldType): number {
  const [part = type, count = 1] = vectors[type] ?? []
  return (sizes[part] ?? 0) * count
}

/** @returns offset after the value */
export function writeField(bytes: Buffer, at: number, type: FieldType, value: FieldValue): number {
  const vector = vectors[type]
  if (vector) {
    for (let index = 0; index < vector[1]; index++)
      at = writeField(bytes, at, vector[0], (value as readonly number[])[index] ?? 0)
    return at
  }
  const number = Number(value)
  switch (type) {
    case 'UINT32':
      return bytes.writeUInt32BE(number >>> 0, at)
    case 'INT32':
      return bytes.writeInt32BE(number | 0, at)
    case 'UINT64':
      return bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(Math.trunc(number))), at)
    case 'DOUBLE':
      return bytes.writeDoubleBE(number, at)
    default:
      return bytes.writeUInt8(number & 255, at)
  }
}

/** @param bytes that hold the whole value */
function readField(bytes: Buffer, at: number, type: FieldType): FieldValue {
  const vector = vectors[type]
  if (vector) {
    const [part, count] = vector
    return Array.from({ length: count }, (_, index) =>
      Number(readField(bytes, at + index * sizeOf(part), part)),
    )
  }
  switch (type) {
    case 'BOOL':
      return bytes.readUInt8(at) !== 0
    case 'UINT32':
      return bytes.readUInt32BE(at)
    case 'INT32':
      return bytes.readInt32BE(at)
    case 'UINT64':
      return Number(bytes.readBigUInt64BE(at))
    case 'DOUBLE':
      return bytes.readDoubleBE(at)
    default:
      return bytes.readUInt8(at)
  }
}

type FieldType =
  | 'BOOL'
  | 'UINT8'
  | 'UINT32'
  | 'UINT64'
  | 'INT32'
  | 'DOUBLE'
  | 'VECTOR3D'
  | 'VECTOR6D'
  | 'VECTOR6INT32'
  | 'VECTOR6UINT32'

/** A number, or the numbers of a vector. */
type FieldValue = number | boolean | readonly number[]

interface OutputField {
  type: FieldType
  read: (controller: ArmController) => FieldValue
}

interface InputField {
  type: FieldType
  write: (controller: ArmController, value: FieldValue) => void
}

const number = (type: FieldType, read: OutputField['read']): OutputField => ({ type, read })

const double = (read: (controller: ArmController) => number) => number('DOUBLE', read)

const vector = (read: (controller: ArmController) => readonly number[]) => number('VECTOR6D', read)

const triple = (read: (controller: ArmController) => readonly number[]) => number('VECTOR3D', read)

const steady = (value: number) => double(() => value)

const six0 = vector(zeros)

const isOn = ({ power }: ArmController) => robotModes[power.mode] >= robotModes.POWER_ON

const robotBits = (controller: ArmController) =>
  (isOn(controller) ? 1 : 0) | (controller.programName === undefined ? 0 : 2)

const outputs: Readonly<Record<string, OutputField>> = {
  timestamp: double(({ time }) => time),
  target_q: vector(({ drive }) => drive.joints),
  target_qd: vector(({ drive }) => drive.speeds),
  target_qdd: six0,
  target_current: six0,
  target_moment: six0,
  actual_q: vector(({ drive }) => drive.joints),
  actual_qd: vector(({ drive }) => drive.speeds),
  actual_current: six0,
  joint_control_output: six0,
  actual_TCP_pose: vector(({ drive }) => sixOfPose(drive.tcp)),
  actual_TCP_speed: vector(({ drive }) => drive.tcpSpeed),
  actual_TCP_force: six0,
  target_TCP_pose: vector(({ drive }) => sixOfPose(drive.tcp)),
  target_TCP_speed: vector(({ drive }) => drive.tcpSpeed),
  tcp_offset: vector(({ drive }) => sixOfPose(drive.tool)),
  payload: double(({ payload }) => payload),
  payload_cog: triple(({ centre }) => centre),
  payload_inertia: six0,
  actual_digital_input_bits: number('UINT64', () => 0),
  actual_digital_output_bits: number('UINT64', ({ digitalOutputs }) => digitalOutputs),
  joint_temperatures: vector(() => [28, 28, 28, 30, 30, 30]),
  actual_execution_time: steady(0.0004),
  robot_mode: number('INT32', ({ power }) => robotModes[power.mode]),
  joint_mode: number('VECTOR6INT32', (controller) => Array<number>(6).fill(isOn(controller) ? 253 : 239)),
  safety_mode: number('INT32', ({ safety }) => safetyModes[safety.mode]),
  safety_status: number('INT32', ({ safety }) => safetyModes[safety.mode]),
  safety_status_bits: number('UINT32', ({ safety }) => safetyBits[safety.mode]),
  robot_status_bits: number('UINT32', (controller) => robotBits(controller)),
  runtime_state: number('UINT32', ({ runtime }) => runtimeStates[runtime]),
  actual_tool_accelerometer: triple(() => [0, 0, -9.81]),
  speed_scaling: double(({ scaling }) => scaling),
  target_speed_fraction: double(({ slider }) => slider),
  actual_momentum: steady(0),
  actual_main_voltage: steady(48),
  actual_robot_voltage: steady(48),
  actual_robot_current: steady(0.6),
  actual_joint_voltage: vector(() => Array<number>(6).fill(48)),
  elbow_position: triple(({ model, drive }) => {
    const { x = 0, y = 0, z = 0 } = linkPoses(model, drive.joints)[1]?.position ?? {}
    return [x, y, z]
  }),
  elbow_velocity: triple(() => [0, 0, 0]),
  tool_mode: number('UINT32', (controller) => (isOn(controller) ? 253 : 239)),
  tool_output_voltage: number('INT32', () => 0),
  tool_output_current: steady(0),
  tool_temperature: steady(28),
  tcp_force_scalar: steady(0),
  analog_io_types: number('UINT32', () => 0),
  standard_analog_input0: steady(0),
  standard_analog_input1: steady(0),
  standard_analog_output0: steady(0),
  standard_analog_output1: steady(0),
  io_current: steady(0),
  euromap67_input_bits: number('UINT32', () => 0),
  euromap67_output_bits: number('UINT32', () => 0),
  euromap67_24V_voltage: steady(0),
  euromap67_24V_current: steady(0),
  tool_analog_input_types: number('UINT32', () => 0),
  tool_analog_input0: steady(0),
  tool_analog_input1: steady(0),
  tool_output_mode: number('UINT8', () => 0),
  tool_digital_output0_mode: number('UINT8', () => 0),
  tool_digital_output1_mode: number('UINT8', () => 0),
  ft_raw_wrench: six0,
  wrench_calc_from_currents: six0,
  actual_current_window: six0,
  actual_current_as_torque: six0,
  joint_position_deviation_ratio: steady(0),
  collision_detection_ratio: steady(0),
  time_scale_source: number('INT32', () => 0),
  encoder0_raw: number('INT32', () => 0),
  encoder1_raw: number('INT32', () => 0),
  actual_robot_energy_consumed: steady(0),
  actual_robot_braking_energy_dissipated: steady(0),
  script_control_line: number('UINT32', () => 0),
}

const ignored = (type: FieldType): InputField => ({ type, write: () => undefined })

const inputs: Readonly<Record<string, InputField>> = {
  speed_slider_mask: ignored('UINT32'),
  speed_slider_fraction: {
    type: 'DOUBLE',
    write: (controller, value) => {
      controller.slider = Math.max(0, Math.min(1, Number(value)))
    },
  },
  standard_digital_output_mask: ignored('UINT8'),
  standard_digital_output: ignored('UINT8'),
  configurable_digital_output_mask: ignored('UINT8'),
  configurable_digital_output: ignored('UINT8'),
  tool_digital_output_mask: ignored('UINT8'),
  tool_digital_output: ignored('UINT8'),
  standard_analog_output_mask: ignored('UINT8'),
  standard_analog_output_type: ignored('UINT8'),
  standard_analog_output_0: ignored('DOUBLE'),
  standard_analog_output_1: ignored('DOUBLE'),
  external_force_torque: ignored('VECTOR6D'),
}

interface RegisterField {
  side: 'input' | 'output'
  kind: 'bits' | 'integers' | 'doubles' | 'packed'
  index: number
}

const registerName = /^(input|output)_(bit|int|double)_register_(\d{1,3})$/

const packedName = /^(input|output)_bit_registers(0_to_31|32_to_63)$/

function registerOf(name: string): RegisterField | undefined {
  const packed = packedName.exec(name)
  if (packed) return { side: packed[1] as 'input', kind: 'packed', index: packed[2] === '0_to_31' ? 0 : 32 }
  const [, side, kind, digits] = registerName.exec(name) ?? []
  if (side === undefined) return undefined
  const index = Number(digits)
  const fits = kind === 'bit' ? index >= 64 && index <= 127 : index <= 47
  const kinds = { bit: 'bits', int: 'integers', double: 'doubles' } as const
  return fits ? { side: side as 'input', kind: kinds[kind as 'bit'], index } : undefined
}

const registerTypes = { bits: 'BOOL', integers: 'INT32', doubles: 'DOUBLE', packed: 'UINT32' } as const

const sides = { input: 'inputs', output: 'outputs' } as const

export function outputField(name: string): OutputField | undefined {
  if (Object.hasOwn(outputs, name)) return outputs[name]
  const register = registerOf(name)
  if (!register) return undefined
  const { side, kind, index } = register
  return {
    type: registerTypes[kind],
    read: (controller) => {
      const registers = controller[sides[side]]
      if (kind !== 'packed') return registers[kind].get(index) ?? (kind === 'bits' ? false : 0)
      let bits = 0
      for (let bit = 0; bit < 32; bit++) if (registers.bits.get(index + bit)) bits += 2 ** bit
      return bits
    },
  }
}

function inputField(name: string): InputField | undefined {
  if (Object.hasOwn(inputs, name)) return inputs[name]
  const register = registerOf(name)
  if (register?.side !== 'input') return undefined
  const { kind, index } = register
  return {
    type: registerTypes[kind],
    write: ({ inputs: { bits, integers, doubles } }, value) => {
      if (kind === 'bits') bits.set(index, value === true)
      else if (kind === 'integers') integers.set(index, Number(value))
      else if (kind === 'doubles') doubles.set(index, Number(value))
      else
        for (let bit = 0; bit < 32; bit++)
          bits.set(index + bit, Math.floor(Number(value) / 2 ** bit) % 2 === 1)
    },
  }
}

const types = {
  version: 86,
  controller: 118,
  outputs: 79,
  inputs: 73,
  start: 83,
  pause: 80,
  data: 85,
  text: 77,
}

const longestNames = 2048 // bytes of the names in a recipe

/** Unsent bytes above which packages are dropped, and above which a client is disconnected. */
const dropsFrom = 64 * 1024

const mostDropped = 2000 // consecutive dropped packages before a client is disconnected

interface Package {
  type: number
  payload: Buffer
}

interface Recipe<Field> {
  id: number
  names: string[]
  fields: Field[]
}

export class RtdeConnection {
  #received: Buffer = Buffer.alloc(0)
  #version = 1 // until the client requests another version
  #outputs: (Recipe<OutputField> & { every: number }) | undefined
  readonly #inputs = new Map<number, Recipe<InputField>>()
  #isStarted = false
  #cycles = 0
  #dropped = 0

  /** @param owners the owning connection of each input field */
  constructor(
    private readonly socket: Socket,
    private readonly arm: Arm,
    private readonly owners: Map<string, RtdeConnection>,
  ) {}

  /** Seconds between two packages; undefined if none are sent. */
  get period(): number | undefined {
    return this.#isStarted && this.#outputs ? this.#outputs.every * this.arm.controller.cycle : undefined
  }

  push(bytes: Buffer): void {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, bytes]) : bytes
  }

  next(): Package | undefined {
    if (this.#received.length < 3) return undefined
    const size = this.#received.readUInt16BE(0)
    if (size < 3) this.socket.destroy()
    if (size < 3 || this.#received.length < size) return undefined
    const [type, payload] = [this.#received.readUInt8(2), this.#received.subarray(3, size)]
    this.#received = this.#received.subarray(size)
    return { type, payload }
  }

  cycled(): void {
    const outputs = this.#outputs
    if (!this.#isStarted || !outputs || this.#cycles++ % outputs.every !== 0) return
    if (this.arm.link === 'frozen') return
    if (this.socket.writableLength > dropsFrom) {
      if (++this.#dropped > mostDropped) this.socket.destroy()
      return
    }
    this.#dropped = 0
    const numbered = this.#version > 1 ? 1 : 0
    const bytes = Buffer.alloc(numbered + outputs.fields.reduce((size, { type }) => size + sizeOf(type), 0))
    if (numbered) bytes.writeUInt8(outputs.id, 0)
    let at = numbered
    for (const { type, read } of outputs.fields) at = writeField(bytes, at, type, read(this.arm.controller))
    this.#send(types.data, bytes)
  }

  close(): void {
    for (const [name, owner] of this.owners) if (owner === this) this.owners.delete(name)
  }

  answer({ type, payload }: Package): void {
    switch (type) {
      case types.version: {
        const requested = payload.length >= 2 ? payload.readUInt16BE(0) : 0
        const accepted = requested === 1 || requested === 2
        if (accepted) this.#version = requested
        this.#send(type, Buffer.from([accepted ? 1 : 0]))
        return
      }
      case types.controller: {
        const bytes = Buffer.alloc(16)
        this.arm.version.forEach((part, index) => bytes.writeUInt32BE(part, 4 * index))
        this.#send(type, bytes)
        return
      }
      case types.outputs:
        this.#setOutputs(payload)
        return
      case types.inputs:
        this.#setInputs(payload)
        return
      case types.start:
      case types.pause: {
        const accepted = type === types.pause || this.#outputs !== undefined || this.#inputs.size > 0
        this.#isStarted = type === types.start && accepted
        this.#cycles = 0
        this.#send(type, Buffer.from([accepted ? 1 : 0]))
        this.arm.wake()
        return
      }
      case types.data:
        this.#write(payload)
        return
      case types.text:
        return
      default:
        this.#say(`Unknown package type ${type}`)
    }
  }

  #setOutputs(payload: Buffer): void {
    const hasRate = this.#version > 1
    const names = this.#listed(payload.subarray(hasRate ? 8 : 0))
    const most = this.arm.controller.model.generation === 'e' ? 500 : 125
    const given = hasRate && payload.length >= 8 ? payload.readDoubleBE(0) : most
    const rate = given >= 1 && given <= most ? given : most
    const fields = names.map(outputField)
    const valid = !fields.includes(undefined)
    this.#outputs = valid
      ? { id: 1, names, fields: fields as OutputField[], every: Math.max(1, Math.floor(most / rate)) }
      : undefined
    const typeNames = fields.map((field) => field?.type ?? 'NOT_FOUND').join(',')
    this.#send(types.outputs, this.#numbered(valid ? 1 : 0, typeNames))
  }

  #setInputs(payload: Buffer): void {
    const names = this.#listed(payload)
    const fields = names.map(inputField)
    const typeNames = names.map((name, index) => {
      const owner = this.owners.get(name)
      return owner && owner !== this ? 'IN_USE' : (fields[index]?.type ?? 'NOT_FOUND')
    })
    const valid = !typeNames.includes('IN_USE') && !typeNames.includes('NOT_FOUND') && this.#inputs.size < 255
    const id = valid ? this.#inputs.size + 1 : 0
    if (valid) {
      for (const name of names) this.owners.set(name, this)
      this.#inputs.set(id, { id, names, fields: fields as InputField[] })
    }
    this.#send(types.inputs, this.#numbered(id, typeNames.join(',')))
  }

  /** An empty list has no names; an overlong one has an unknown name. */
  #listed(bytes: Buffer): string[] {
    if (bytes.length > longestNames) {
      this.#say(`The names of a recipe may have ${longestNames} bytes`)
      return ['']
    }
    const text = bytes.toString('latin1')
    return text === '' ? [] : text.split(',').map((name) => name.trim())
  }

  #numbered(id: number, text: string): Buffer {
    return this.#version > 1 ? Buffer.from([id, ...Buffer.from(text)]) : Buffer.from(text)
  }

  #write(payload: Buffer): void {
    const recipe = payload.length > 0 ? this.#inputs.get(payload.readUInt8(0)) : undefined
    const size = recipe?.fields.reduce((sum, { type }) => sum + sizeOf(type), 1)
    if (!recipe || payload.length !== size) {
      this.#say('Input data does not fit its recipe')
      return
    }
    const { controller } = this.arm
    let at = 1
    const values = recipe.fields.map(({ type }) => {
      const value = readField(payload, at, type)
      at += sizeOf(type)
      return value
    })
    const mask = recipe.names.indexOf('speed_slider_mask')
    recipe.fields.forEach(({ write }, index) => {
      const masked = recipe.names[index] === 'speed_slider_fraction' && mask >= 0 && values[mask] === 0
      const value = values[index]
      if (!masked && value !== undefined) write(controller, value)
    })
    controller.watchdogs.received(recipe.names, controller.time)
  }

  #say(text: string): void {
    const bytes = Buffer.from(text.slice(0, 200))
    const source = Buffer.from('RTDE Data Interface')
    this.#send(
      types.text,
      this.#version > 1
        ? Buffer.from([bytes.length, ...bytes, source.length, ...source, 2])
        : Buffer.from([2, ...bytes]),
    )
  }

  #send(type: number, payload: Buffer): void {
    const bytes = Buffer.alloc(3 + payload.length)
    bytes.writeUInt16BE(bytes.length, 0)
    bytes.writeUInt8(type, 2)
    payload.copy(bytes, 3)
    this.socket.write(bytes)
  }
}
