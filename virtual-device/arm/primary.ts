/** The primary, secondary and real-time client interfaces: states and messages out, programs in. */
import type { Socket } from 'node:net'
import type { Arm, ArmClient } from './arm'
import { at, linkPoses, six } from './kinematics'
import { sixOfPose } from './script/values'
import { type ArmMessage, robotModes, runtimeStates, safetyModes } from './state'
import { ScriptError } from './script/parse'
import { ScriptProgram } from './script/interpreter'

type Part = readonly ['u8' | 'i8' | 'i32' | 'u32' | 'u64' | 'f32' | 'f64', number | bigint] | string

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

/** Prefixed with its length. */
const short = (text: string): Part[] => {
  // Whole characters of at most 255 bytes.
  let cut = text.slice(0, 255)
  while (Buffer.byteLength(cut) > 255) cut = cut.slice(0, -1)
  return [u8(Buffer.byteLength(cut)), cut]
}

/** Prefixed with its size, including the prefix. */
const sized = (parts: readonly Part[]): Buffer => {
  const body = bytesOf(parts)
  return Buffer.concat([bytesOf([i32(body.length + 4)]), body])
}

const packages = { state: 16, message: 20 } as const

const kinds = { text: 0, popup: 2, version: 3, safety: 5, error: 6, key: 7, exception: 10 } as const

const robot = 253 // source of the controller's own messages

const noTime = 2n ** 64n - 1n // marks a message without a time

const message = (kind: keyof typeof kinds, time: bigint, parts: readonly Part[]) =>
  sized([u8(packages.message), ['u64', time], u8(robot), u8(kinds[kind]), ...parts])

function versionMessage({ version: [major, minor, bugfix, build] }: Arm): Buffer {
  return message('version', noTime, [
    ...short('URControl'),
    ...[u8(major), u8(minor), i32(bugfix), i32(build), '09-11-2021, 00:00:00'],
  ])
}

/** @param seconds time of the message */
export function messageBytes(content: ArmMessage, seconds: number): Buffer {
  const time = BigInt(Math.round(seconds * 1e6))
  switch (content.kind) {
    case 'text':
      return message('text', time, [content.text])
    case 'key':
      return message('key', time, [i32(0), i32(0), ...short(content.title), content.text])
    case 'error':
      return message('error', time, [
        ...[i32(content.code), i32(content.argument), i32(content.level), u32(0), u32(0), content.text],
      ])
    case 'exception':
      return message('exception', time, [u32(content.line), u32(content.column), content.text])
    case 'safety':
      return message('safety', time, [i32(0), i32(0), u8(content.mode), u32(0), u32(0)])
    case 'popup': {
      const { level, blocking } = content
      const flags = [u8(level === 'warning'), u8(level === 'error'), u8(blocking)]
      return message('popup', time, [u32(0), u8(0), ...flags, ...short(content.title), content.text])
    }
  }
}

const readOnlyError = (): Buffer => message('error', noTime, [i32(210), i32(0), i32(3), u32(0), u32(0)])

const part = (type: number, parts: readonly Part[]) => sized([u8(type), ...parts])

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

const realtimeBytes = 1220 // of a package of the real-time client interface

/** State of one cycle on the real-time client interface: numbers of eight bytes at fixed offsets. */
function realtimeState({ controller }: Arm): Buffer {
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

const longest = 512 * 1024 // characters of a program

/** Splits received text into programs and single lines. */
class ProgramTexts {
  /** Received text: lines that were not split yet, then the pieces of an incomplete one, and their characters. */
  #lines = ''
  #rest: string[] = []
  #restSize = 0
  #program: string[] | undefined
  #programSize = 0

  push(text: string): void {
    this.#rest.push(text)
    this.#restSize += text.length
    if (!text.includes('\n')) return
    this.#lines += this.#rest.join('')
    this.#rest = []
    this.#restSize = 0
  }

  /** The incomplete part is longer than any program. */
  get isTooLong(): boolean {
    return this.#restSize + this.#programSize > longest
  }

  /** The next complete program or line. */
  next(): string | undefined {
    for (let end = this.#lines.indexOf('\n'); end >= 0; end = this.#lines.indexOf('\n')) {
      const line = this.#lines.slice(0, end)
      this.#lines = this.#lines.slice(end + 1)
      const program = this.#take(line)
      if (program !== undefined) return program
    }
    if (this.#lines !== '') {
      this.#rest.unshift(this.#lines)
      this.#restSize += this.#lines.length
      this.#lines = ''
    }
    return undefined
  }

  #take(line: string): string | undefined {
    if (!this.#program) {
      if (!/^(def|sec) /.test(line)) return line.trim() === '' ? undefined : `${line}\n`
      this.#program = []
    }
    this.#program.push(line)
    this.#programSize += line.length + 1
    if (!isEnd(line)) return undefined
    const text = `${this.#program.join('\n')}\n`
    this.#program = undefined
    this.#programSize = 0
    return text
  }
}

/** A program ends at an `end` that is not indented. */
const isEnd = (line: string) => line.startsWith('end') && line.slice(3).trim() === ''

const mostUnsent = 4 * 1024 * 1024 // bytes unread by a client before it is disconnected

const dropsFrom = 64 * 1024 // unsent bytes above which states of cycles are dropped

const between = 0.1 // seconds between two states

abstract class ProgramConnection {
  /** A connection made in local mode never accepts programs. */
  readonly mayWrite: boolean
  readonly #texts = new ProgramTexts()

  constructor(
    protected readonly socket: Socket,
    protected readonly arm: Arm,
  ) {
    this.mayWrite = arm.isRemote
  }

  protected abstract refused(): void

  push(bytes: Buffer): void {
    this.#texts.push(bytes.toString('latin1'))
  }

  next(): string | undefined {
    const text = this.#texts.next()
    if (text === undefined && this.#texts.isTooLong) this.socket.destroy()
    return text
  }

  answer(text: string): void {
    if (this.mayWrite) this.#execute(text)
    else this.refused()
    this.arm.wake()
  }

  #execute(text: string): void {
    const { controller } = this.arm
    const command = commands.get(text.trim().toLowerCase())
    if (command) {
      command(this.arm)
      return
    }
    try {
      controller.run(ScriptProgram.compiled(text, controller))
    } catch (error) {
      if (!(error instanceof ScriptError)) throw error
      const { line, column, message } = error
      controller.send({ kind: 'exception', line, column, text: message })
    }
  }

  protected send(bytes: Buffer): void {
    if (this.arm.link === 'frozen') return
    this.socket.write(bytes)
    if (this.socket.writableLength > mostUnsent) this.socket.destroy()
  }
}

/** A client of the primary or secondary interface: state and messages out, programs in. */
export class PrimaryConnection extends ProgramConnection implements ArmClient {
  readonly period = between
  readonly #stopHearing: () => void
  #nextState = 0

  constructor(socket: Socket, arm: Arm) {
    super(socket, arm)
    this.#stopHearing = arm.controller.onMessage((message) =>
      this.send(messageBytes(message, arm.controller.time)),
    )
    this.send(versionMessage(arm))
    this.advanced()
  }

  advanced(): void {
    const { time } = this.arm.controller
    if (time < this.#nextState) return
    this.#nextState = Math.max(this.#nextState + between, time + between / 2)
    this.send(robotState(this.arm))
  }

  close(): void {
    this.#stopHearing()
  }

  protected refused(): void {
    this.send(readOnlyError())
  }
}

/** A client of the real-time client interface: the state of each cycle out, programs in. */
export class RealtimeConnection extends ProgramConnection implements ArmClient {
  get period(): number {
    return this.arm.controller.cycle
  }

  cycled(): void {
    // Late packages are dropped.
    if (this.socket.writableLength < dropsFrom) this.send(realtimeState(this.arm))
  }

  /** The interface has no messages. */
  protected refused(): void {}
}

const commands: ReadonlyMap<string, (arm: Arm) => void> = new Map(
  Object.entries<(arm: Arm) => void>({
    'stop program': ({ controller }) => controller.endProgram(),
    'power on': ({ controller }) => controller.powerOn(),
    'power off': ({ controller }) => controller.powerOff(),
    'set robotmode run': ({ controller }) => controller.brakeRelease(),
    'set unlock protective stop': ({ controller }) => void controller.unlock(),
  }),
)
