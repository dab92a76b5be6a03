import type { Arm } from './arm'
import { at, linkPoses, six } from './kinematics'
import { sixOfPose } from './script/values'
import { type ArmMessage, robotModes, runtimeStates, safetyModes } from './state'

type Part = readonly ['u8' | 'i8' | 'i32' | 'u32' | 'u64' | 'f32' | 'f64', number | bigint] | string

/** Bytes of numbers in network order, and of text. */
function bytesOf(parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) => {
      if (typeof part === 'string') return Buffer.from(part, 'utf8')
      const [type, value] = part
      const bytes = Buffer.alloc(
        type === 'u8' || type === 'i8' ? 1 : type === 'u64' || type === 'f64' ? 8 : 4,
      )
      if (type === 'u64') bytes.writeBigUInt64BE(BigInt(value))
      else if (type === 'f64') bytes.writeDoubleBE(Number(value))
      else if (type === 'f32') bytes.writeFloatBE(Number(value))
      else if (type === 'u32') bytes.writeUInt32BE(Number(value))
      else if (type === 'i32') bytes.writeInt32BE(Number(value))
      else if (type === 'i8') bytes.writeInt8(Number(value))
      else bytes.writeUInt8(Number(value))
      return bytes
    }),
  )
}

const u8 = (value: number | boolean): Part => ['u8', Number(value)]

const i32 = (value: number): Part => ['i32', value]

const u32 = (value: number): Part => ['u32', value]

const f32 = (value: number): Part => ['f32', value]

const f64 = (value: number): Part => ['f64', value]

/** Text with its length before it. */
const short = (text: string): Part[] => {
  // Whole characters of at most 255 bytes.
  let cut = text.slice(0, 255)
  while (Buffer.byteLength(cut) > 255) cut = cut.slice(0, -1)
  return [u8(Buffer.byteLength(cut)), cut]
}

/** With its size before it, this number included. */
const sized = (parts: readonly Part[]): Buffer => {
  const body = bytesOf(parts)
  return Buffer.concat([bytesOf([i32(body.length + 4)]), body])
}

/** Types of packages and of messages. */
const packages = { state: 16, message: 20 } as const

const kinds = { text: 0, popup: 2, version: 3, safety: 5, error: 6, key: 7, exception: 10 } as const

/** Source of the controller's own messages. */
const robot = 253

/** A message that has no time. */
const noTime = 2n ** 64n - 1n

const message = (kind: keyof typeof kinds, time: bigint, parts: readonly Part[]) =>
  sized([u8(packages.message), ['u64', time], u8(robot), u8(kinds[kind]), ...parts])

/** The first package of each connection. */
export function versionMessage({ version: [major, minor, bugfix, build] }: Arm): Buffer {
  return message('version', noTime, [
    ...short('URControl'),
    ...[u8(major), u8(minor), i32(bugfix), i32(build), '09-11-2021, 00:00:00'],
  ])
}

/** A message of the controller, at its time in seconds. */
export function messageBytes(told: ArmMessage, seconds: number): Buffer {
  const time = BigInt(Math.round(seconds * 1e6))
  switch (told.kind) {
    case 'text':
      return message('text', time, [told.text])
    case 'key':
      return message('key', time, [i32(0), i32(0), ...short(told.title), told.text])
    case 'error':
      return message('error', time, [
        ...[i32(told.code), i32(told.argument), i32(told.level), u32(0), u32(0), told.text],
      ])
    case 'exception':
      return message('exception', time, [u32(told.line), u32(told.column), told.text])
    case 'safety':
      return message('safety', time, [i32(0), i32(0), u8(told.mode), u32(0), u32(0)])
    case 'popup': {
      const { level, blocking } = told
      const flags = [u8(level === 'warning'), u8(level === 'error'), u8(blocking)]
      return message('popup', time, [u32(0), u8(0), ...flags, ...short(told.title), told.text])
    }
  }
}

/** The answer to a script on a connection that may only read. */
export const readOnlyError = (): Buffer =>
  message('error', noTime, [i32(210), i32(0), i32(3), u32(0), u32(0)])

const part = (type: number, parts: readonly Part[]) => sized([u8(type), ...parts])

/** The state of the robot, as it is sent ten times a second. */
export function robotState({ controller }: Arm): Buffer {
  const { runtime, time, slider, scaling, digitalOutputs } = controller
  const { joints, speeds, tcp, tool } = controller.drive
  const [mode, safety] = [controller.power.mode, controller.safety.mode]
  const isOn = robotModes[mode] >= robotModes.POWER_ON
  const isEmergency = safety === 'ROBOT_EMERGENCY_STOP' || safety === 'SYSTEM_EMERGENCY_STOP'
  const body = Buffer.concat([
    part(0, [
      ['u64', BigInt(Math.round(time * 1e6))],
      ...[u8(true), u8(true), u8(isOn), u8(isEmergency), u8(safety === 'PROTECTIVE_STOP')],
      ...[u8(controller.programName !== undefined), u8(runtime === 'PAUSED')],
      ...[['i8', robotModes[mode]] as const, u8(0), f64(slider), f64(scaling), f64(1), u8(0)],
    ]),
    part(
      1,
      six((joint) => joint).flatMap((joint) => [
        ...[f64(at(joints, joint)), f64(at(joints, joint)), f64(at(speeds, joint))],
        ...[f32(0), f32(48), f32(28), f32(0), u8(isOn ? 253 : 239)],
      ]),
    ),
    part(3, [
      ...[
        u32(0),
        u32(digitalOutputs),
        u8(0),
        u8(0),
        f64(0),
        f64(0),
        ['i8', 0] as const,
        ['i8', 0] as const,
        f64(0),
        f64(0),
      ],
      ...[f32(25), f32(48), f32(0.6), f32(0.1), u8(safetyModes[safety]), u8(false), u8(false)],
      ...[u32(0), u8(0), u8(0), u8(0)],
    ]),
    part(4, [...sixOfPose(tcp).map(f64), ...sixOfPose(tool).map(f64)]),
  ])
  return Buffer.concat([bytesOf([i32(body.length + 5), u8(packages.state)]), body])
}

/** Bytes of a package of the real-time client interface. */
const realtimeBytes = 1220

/** The state of one cycle as the real-time client interface sends it: numbers at fixed places, all of eight bytes. */
export function realtimeState({ controller }: Arm): Buffer {
  const { time, scaling, safety, power, runtime, model, payload, centre, digitalOutputs } = controller
  const { joints, speeds, tcp, tcpSpeed } = controller.drive
  const bytes = Buffer.alloc(realtimeBytes)
  bytes.writeInt32BE(realtimeBytes, 0)
  const put = (at: number, ...numbers: readonly number[]) =>
    numbers.forEach((number, index) => bytes.writeDoubleBE(number, at + 8 * index))
  const isOn = robotModes[power.mode] >= robotModes.POWER_ON
  const elbow = linkPoses(model, joints)[1]?.position ?? { x: 0, y: 0, z: 0 }
  put(4, time, ...joints, ...speeds)
  put(252, ...joints, ...speeds)
  put(444, ...sixOfPose(tcp), ...tcpSpeed)
  put(588, ...sixOfPose(tcp), ...tcpSpeed)
  put(692, ...six(() => 28))
  put(756, robotModes[power.mode], ...six(() => (isOn ? 253 : 239)), safetyModes[safety.mode])
  put(868, 0, 0, -9.81)
  put(940, scaling)
  put(972, 48, 48, 0.6, ...six(() => 48), digitalOutputs, runtimeStates[runtime])
  put(1060, elbow.x, elbow.y, elbow.z)
  put(1108, safetyModes[safety.mode])
  put(1140, payload, ...centre)
  return bytes
}
