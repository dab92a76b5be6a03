import { connect, type Socket } from 'node:net'
import type { Pose } from '../../../lib/robotics'
import { manualClock, type VirtualDeviceOptions } from '../../../virtual-device'
import { eventually } from '../../support/eventually'
import { useDevice } from '../support/use-device'

/** Waits until it is so. */
export const until = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
  eventually(async () => {
    if (!(await isSo())) throw new Error(`It is never so: ${isSo.toString()}`)
  })

/** A connection of which everything that arrives is kept. */
export class Line {
  received = Buffer.alloc(0)
  isClosed = false

  constructor(readonly socket: Socket) {
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => (this.received = Buffer.concat([this.received, bytes])))
    socket.on('close', () => (this.isClosed = true))
  }

  send(bytes: Buffer | string): void {
    this.socket.write(bytes)
  }

  get text(): string {
    return this.received.toString('latin1')
  }
}

/** A package of the real-time data exchange. */
export interface RtdePackage {
  type: string
  payload: Buffer
}

/** Speaks the real-time data exchange by its bytes. */
export class RtdeLine extends Line {
  get packages(): RtdePackage[] {
    const found: RtdePackage[] = []
    for (let at = 0; at + 3 <= this.received.length; at += this.received.readUInt16BE(at)) {
      const size = this.received.readUInt16BE(at)
      if (at + size > this.received.length) break
      const type = String.fromCharCode(this.received.readUInt8(at + 2))
      found.push({ type, payload: this.received.subarray(at + 3, at + size) })
    }
    return found
  }

  /** @returns the first answer of that type that comes after this call */
  async ask(type: string, payload: Buffer | string = ''): Promise<Buffer> {
    const before = this.packages.length
    this.say(type, payload)
    await until(() => this.packages.slice(before).some((each) => each.type === type))
    return this.packages.slice(before).find((each) => each.type === type)?.payload ?? Buffer.alloc(0)
  }

  say(type: string, payload: Buffer | string = ''): void {
    const body = Buffer.from(payload)
    this.send(
      Buffer.concat([
        Buffer.from([(body.length + 3) >> 8, (body.length + 3) & 255, type.charCodeAt(0)]),
        body,
      ]),
    )
  }

  get data(): Buffer[] {
    return this.packages.filter(({ type }) => type === 'U').map(({ payload }) => payload)
  }
}

export interface PrimaryMessage {
  kind: number
  /** Behind time, source and kind. */
  body: Buffer
}

/** Reads the primary interface by its bytes. */
export class PrimaryLine extends Line {
  get packages(): Buffer[] {
    const found: Buffer[] = []
    for (let at = 0; at + 4 <= this.received.length; at += this.received.readInt32BE(at)) {
      const size = this.received.readInt32BE(at)
      if (at + size > this.received.length) break
      found.push(this.received.subarray(at, at + size))
    }
    return found
  }

  get messages(): PrimaryMessage[] {
    return this.packages
      .filter((each) => each[4] === 20)
      .map((each) => ({ kind: each.readUInt8(14), body: each.subarray(15) }))
  }

  /** Texts of the messages of one kind. */
  texts(kind: number): string[] {
    return this.messages.filter((each) => each.kind === kind).map(({ body }) => body.toString('latin1'))
  }

  async tells(kind: number, part: string): Promise<void> {
    await until(() => this.texts(kind).some((text) => text.includes(part)))
  }
}

export interface Truth {
  mode: string
  safety: string
  runtime: string
  program: string | null
  moves: boolean
  motions: number
  joints: number[]
  joint_speeds: number[]
  flange: Pose
  tcp: Pose
  time: number
  slider: number
}

/** A device with an arm, whose time stands still until a test moves it. */
export function useArm(options: VirtualDeviceOptions = {}) {
  const clock = manualClock()
  const bench = useDevice({ clock, arm: 'ur5e', armPort: 0, ...options })
  const lines: Line[] = []
  afterEach(() => {
    for (const { socket } of lines.splice(0)) socket.destroy()
  })
  const opened = async <Of extends Line>(port: string, make: (socket: Socket) => Of): Promise<Of> => {
    const socket = connect(bench.device.ports.arm?.parts?.[port] ?? 0, '127.0.0.1')
    const line = make(socket)
    lines.push(line)
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    return line
  }
  const truth = async () => (await bench.send('GET', '/virtual/arm')).body as Truth
  return {
    clock,
    bench,
    truth,
    rtde: () => opened('rtde', (socket) => new RtdeLine(socket)),
    primary: async () => {
      const line = await opened('primary', (socket) => new PrimaryLine(socket))
      await until(() => line.packages.length >= 2 || line.isClosed)
      return line
    },
    realtime: () => opened('realtime', (socket) => new Line(socket)),
    dashboard: async () => {
      const line = await opened('dashboard', (socket) => new Line(socket))
      await until(() => line.text.includes('\n') || line.isClosed)
      const ask = async (command: string) => {
        const before = line.text.length
        line.send(`${command}\n`)
        await until(() => line.text.indexOf('\n', before) >= 0)
        return line.text.slice(before).trim()
      }
      return { line, ask }
    },
    /** Time passes in steps, and the arm moves. */
    pass: async (seconds: number) => {
      clock.advance(seconds)
      return truth()
    },
  }
}

/** A program of these lines. */
export const program = (name: string, ...lines: string[]) =>
  [`def ${name}():`, ...lines.map((line) => `  ${line}`), 'end', ''].join('\n')

/** Moves the active tool by these metres. */
export const moveBy = (x: number, y: number, z: number, limits = 'a=1.2, v=0.25') =>
  `movel(pose_add(get_actual_tcp_pose(), p[${x}, ${y}, ${z}, 0, 0, 0]), ${limits})`
