import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** Bytes of each type of RTDE, written down from its documentation once more, beside the library's own table. */
const widths: Record<string, number> = {
  DOUBLE: 8,
  INT32: 4,
  UINT32: 4,
  VECTOR3D: 24,
  VECTOR6D: 48,
}

const typeOf: Record<string, string> = {
  timestamp: 'DOUBLE',
  actual_TCP_pose: 'VECTOR6D',
  tcp_offset: 'VECTOR6D',
  actual_q: 'VECTOR6D',
  actual_TCP_speed: 'VECTOR6D',
  robot_mode: 'INT32',
  safety_status_bits: 'UINT32',
  runtime_state: 'UINT32',
  speed_scaling: 'DOUBLE',
  payload: 'DOUBLE',
  payload_cog: 'VECTOR3D',
}

interface Peer {
  socket: Socket
  names: string[]
  inputs: string[]
  started: boolean
}

/** What a test may change at any time. */
export interface ControllerOptions {
  version: [number, number, number, number]
  /** Fields that this controller does not have. */
  missing: string[]
  registersInUse: boolean
  protocolRefused: boolean
  remote: string
  /** Scripts are read and never begun. */
  deaf: boolean
  /** Milliseconds between two states: 8 is 125 Hz. */
  cycle: number
}

/**
 * A controller of the byte layout alone, for the client: RTDE, primary interface, dashboard. It executes no URScript: it finds
 * pose, pace and registers of a motion in the text, and does what the program means. Written independently of the simulated
 * arm of the virtual device, which executes it.
 */
export class Controller {
  readonly options: ControllerOptions = {
    ...{ version: [5, 11, 6, 1010303], missing: [], registersInUse: false, protocolRefused: false },
    ...{ remote: 'true', deaf: false, cycle: 8 },
  }
  /** TCP pose: metres and a rotation vector. */
  pose = [0.4, -0.2, 0.3, 0, Math.PI, 0]
  offset = [0, 0, 0.15, 0, 0, 0]
  payload = 1.5
  mode = 7
  safetyBits = 1
  /** 1 stopped, 2 playing, 4 paused. */
  runtime = 1
  registers: Record<string, number> = {}
  /** Stops sending states, without closing anything. */
  frozen = false
  scripts: string[] = []
  commands: string[] = []
  /** All poses sent as targets. */
  targets: number[][] = []
  /** When the last enable came, and when the arm stood after a brake; milliseconds of this process. */
  lastEnable = 0
  stoodAt = 0
  ended: 'arrived' | 'watchdog' | 'stop' | undefined
  /** Called for each RTDE package; returns bytes to send in place of the usual answer. */
  instead: (type: number) => Buffer | undefined = () => undefined
  /** Metres by which the arm misses. */
  missBy = 0
  /** How many states are on their way: what arrives is so old. */
  lag = 0
  /** How many writes of the registers come too late to be heard. */
  unheard = 0
  #late: Buffer[] = []

  readonly #servers: Server[] = []
  readonly #peers = new Set<Peer>()
  readonly #primaries = new Set<Socket>()
  readonly #sockets = new Set<Socket>()
  #timer: NodeJS.Timeout | undefined
  #time = 100
  #last = performance.now()
  /** Milliseconds in which this controller was not stopped together with the process of the test. */
  #clock = 0
  #speed = [0, 0, 0]
  #motion:
    | {
        number: number
        name: string
        target: number[]
        v: number
        a: number
        enable: string
        job: string
        begin: number
        quiet: number
        begun: boolean
        changes: number
        seen: number
        seenAt: number
      }
    | undefined

  #braking: { a: number; how: 'watchdog' | 'stop' } | undefined

  ports = { rtde: 0, primary: 0, dashboard: 0 }

  async start(): Promise<this> {
    this.ports.rtde = await this.#listen((socket) => this.#rtde(socket))
    this.ports.primary = await this.#listen((socket) => this.#primary(socket))
    this.ports.dashboard = await this.#listen((socket) => this.#dashboard(socket))
    this.#timer = setInterval(() => this.#tick(), this.options.cycle)
    return this
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(
      this.#servers.map(async (server) => {
        const closed = once(server, 'close')
        server.close()
        await closed
      }),
    )
  }

  /** How fast the TCP is, m/s. */
  get speed(): number {
    return Math.hypot(...this.#speed)
  }

  /** Seconds since its start, as it tells them. */
  get time(): number {
    return this.#time
  }

  get connections(): number {
    return this.#sockets.size
  }

  /** Cuts all connections of a port. */
  cut(which: 'rtde' | 'primary' | 'all'): void {
    for (const { socket } of this.#peers) if (which !== 'primary') socket.destroy()
    for (const socket of this.#primaries) if (which !== 'rtde') socket.destroy()
  }

  protectiveStop(): void {
    this.safetyBits = 0b100_0000_0100
    this.runtime = 4
    this.#speed = [0, 0, 0]
  }

  /** Somebody moves the arm by hand along x, so fast in m/s. */
  jog(speed: number): void {
    this.#speed = [speed, 0, 0]
  }

  /** Sends bytes to all who listen to RTDE. */
  inject(bytes: Buffer): void {
    for (const { socket } of this.#peers) socket.write(bytes)
  }

  /** A message of the primary interface. */
  report(kind: number, body: Buffer): void {
    const bytes = Buffer.alloc(15 + body.length)
    bytes.writeInt32BE(bytes.length, 0)
    bytes[4] = 20
    bytes.fill(0xff, 5, 13)
    bytes[13] = 0xfd
    bytes[14] = kind
    body.copy(bytes, 15)
    for (const socket of this.#primaries) socket.write(bytes)
  }

  async #listen(greet: (socket: Socket) => void): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
      socket.on('error', () => undefined)
      greet(socket)
    })
    this.#servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  #rtde(socket: Socket): void {
    const peer: Peer = { socket, names: [], inputs: [], started: false }
    this.#peers.add(peer)
    socket.once('close', () => this.#peers.delete(peer))
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 3 && rest.length >= rest.readUInt16BE(0)) {
        const size = rest.readUInt16BE(0)
        this.#answer(peer, rest[2] ?? 0, rest.subarray(3, size))
        rest = rest.subarray(size)
      }
    })
  }

  #answer(peer: Peer, type: number, payload: Buffer): void {
    const other = this.instead(type)
    if (other) {
      peer.socket.write(other)
      return
    }
    const { version, missing, registersInUse, protocolRefused } = this.options
    const send = (body: Buffer) => {
      const head = Buffer.from([0, 0, type])
      head.writeUInt16BE(3 + body.length, 0)
      peer.socket.write(Buffer.concat([head, body]))
    }
    switch (String.fromCharCode(type)) {
      case 'V':
        send(Buffer.from([payload.readUInt16BE(0) === 2 && !protocolRefused ? 1 : 0]))
        break
      case 'v': {
        const bytes = Buffer.alloc(16)
        version.forEach((part, index) => bytes.writeUInt32BE(part, 4 * index))
        send(bytes)
        break
      }
      case 'O': {
        peer.names = payload.subarray(8).toString('latin1').split(',')
        const types = peer.names.map((name) =>
          missing.includes(name) ? 'NOT_FOUND' : (typeOf[name] ?? 'NOT_FOUND'),
        )
        send(Buffer.concat([Buffer.from([1]), Buffer.from(types.join(','))]))
        break
      }
      case 'I': {
        peer.inputs = payload.toString('latin1').split(',')
        const types = peer.inputs.map(() => (registersInUse ? 'IN_USE' : 'INT32'))
        send(Buffer.concat([Buffer.from([1]), Buffer.from(types.join(','))]))
        break
      }
      case 'S':
        peer.started = true
        send(Buffer.from([1]))
        break
      case 'U':
        if (this.unheard > 0) this.unheard--
        else peer.inputs.forEach((name, index) => (this.registers[name] = payload.readInt32BE(1 + 4 * index)))
        this.lastEnable = performance.now()
        break
      default:
    }
  }

  #primary(socket: Socket): void {
    this.#primaries.add(socket)
    socket.once('close', () => this.#primaries.delete(socket))
    // A version message, and a state that nobody needs to understand.
    const hello = Buffer.alloc(55)
    hello.writeInt32BE(55, 0)
    hello[4] = 20
    hello[14] = 3
    const state = Buffer.alloc(716)
    state.writeInt32BE(716, 0)
    state[4] = 16
    socket.write(Buffer.concat([hello, state]))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('ascii')
      for (let end = text.indexOf('\nend\n'); end >= 0; end = text.indexOf('\nend\n')) {
        this.#run(text.slice(0, end + 5))
        text = text.slice(end + 5)
      }
    })
  }

  #run(script: string): void {
    this.scripts.push(script)
    if (this.options.deaf) return
    if (/stopl\((\d+\.\d)\)\nend/.test(script) && !script.includes('movel')) {
      this.#brake(2, 'stop')
      return
    }
    const [, name = ''] = /def (\w+)\(\):/.exec(script) ?? []
    const [, pose = ''] = /movel\(p\[([^\]]+)\]/.exec(script) ?? []
    const [, a = ''] = /a=([\d.]+)/.exec(script) ?? []
    const [, v = ''] = /v=([\d.]+)/.exec(script) ?? []
    const [, enable = ''] = /cs_last = read_input_integer_register\((\d+)\)/.exec(script) ?? []
    const [, job = '', number = ''] = /and read_input_integer_register\((\d+)\) == (\d+)/.exec(script) ?? []
    const [begin = 0, quiet = 0] = [...script.matchAll(/cs_quiet < (\d+)/g)].map(
      ([, cycles]) => Number(cycles) * (this.options.version[0] < 5 ? 8 : 2),
    )
    const target = pose.split(',').map(Number)
    this.targets.push(target)
    this.ended = undefined
    this.#braking = undefined
    this.#motion = {
      ...{ name, target, number: Number(number), v: Number(v), a: Number(a), begin, quiet },
      ...{ enable: `input_int_register_${enable}`, job: `input_int_register_${job}` },
      ...{ begun: false, changes: 0, seen: Number.NaN, seenAt: this.#clock },
    }
    this.runtime = 2
    const title = 'PROGRAM_XXX_STARTED'
    this.report(7, Buffer.concat([Buffer.alloc(8), Buffer.from([title.length]), Buffer.from(title + name)]))
  }

  #brake(a: number, how: 'watchdog' | 'stop'): void {
    this.#motion = undefined
    this.#braking = { a, how }
    this.runtime = 2
  }

  #tick(): void {
    const now = performance.now()
    const seconds = Math.min(0.05, (now - this.#last) / 1000)
    this.#last = now
    this.#time += seconds
    this.#clock += 1000 * seconds
    if (this.runtime === 2) this.#step(this.#clock, seconds)
    if (!this.frozen)
      for (const peer of this.#peers) {
        if (!peer.started) continue
        this.#late.push(this.#data(peer.names))
        for (const state of this.#late.splice(0, this.#late.length - this.lag)) peer.socket.write(state)
      }
  }

  #step(now: number, seconds: number): void {
    if (this.#braking) {
      const speed = Math.max(0, this.speed - this.#braking.a * seconds)
      this.#go(speed, seconds)
      if (speed > 0) return
      this.ended = this.#braking.how
      this.stoodAt = now
      this.#braking = undefined
      this.runtime = 1
      return
    }
    const motion = this.#motion
    if (!motion) return
    const enable = this.registers[motion.enable] ?? 0
    if (enable !== motion.seen) {
      if (!Number.isNaN(motion.seen)) motion.changes++
      motion.seen = enable
      motion.seenAt = now
    }
    const isEnabled =
      now - motion.seenAt < motion.quiet && enable > 0 && this.registers[motion.job] === motion.number
    if (!motion.begun) {
      if (motion.changes >= 2 && isEnabled) motion.begun = true
      else if (now - motion.seenAt >= motion.begin) this.#brake(2, 'watchdog')
      return
    }
    if (!isEnabled) {
      this.#brake(2, 'watchdog')
      return
    }
    const way = [0, 1, 2].map((axis) => (motion.target[axis] ?? 0) - (this.pose[axis] ?? 0))
    const left = Math.hypot(...way)
    const speed = Math.min(motion.v, this.speed + motion.a * seconds, Math.sqrt(2 * motion.a * left) + 1e-4)
    if (left <= speed * seconds || left < 1e-6) {
      this.pose = motion.target.slice()
      this.pose[0] = (this.pose[0] ?? 0) + this.missBy
      this.#speed = [0, 0, 0]
      this.#motion = undefined
      this.ended = 'arrived'
      this.runtime = 1
      return
    }
    this.#speed = way.map((part) => (part / left) * speed)
    this.#go(speed, seconds)
  }

  #go(speed: number, seconds: number): void {
    const before = this.speed
    this.#speed = this.#speed.map((part) => (before > 0 ? (part / before) * speed : 0))
    this.pose = this.pose.map((value, axis) => value + (axis < 3 ? (this.#speed[axis] ?? 0) * seconds : 0))
  }

  #data(names: readonly string[]): Buffer {
    const values: Record<string, number[]> = {
      timestamp: [this.#time],
      actual_TCP_pose: this.pose,
      tcp_offset: this.offset,
      actual_q: [0.1, -1.2, 1.3, -1.4, -1.5, 0.6],
      actual_TCP_speed: [...this.#speed, 0, 0, 0],
      robot_mode: [this.mode],
      safety_status_bits: [this.safetyBits],
      runtime_state: [this.runtime],
      speed_scaling: [1],
      payload: [this.payload],
      payload_cog: [0, 0, 0.05],
    }
    const parts = names.map((name) => {
      const type = typeOf[name] ?? ''
      const bytes = Buffer.alloc(widths[type] ?? 0)
      values[name]?.forEach((value, index) => {
        if (type === 'INT32') bytes.writeInt32BE(value, 0)
        else if (type === 'UINT32') bytes.writeUInt32BE(value, 0)
        else bytes.writeDoubleBE(value, 8 * index)
      })
      return bytes
    })
    const body = Buffer.concat([Buffer.from([0, 0, 0x55, 1]), ...parts])
    body.writeUInt16BE(body.length, 0)
    return body
  }

  #dashboard(socket: Socket): void {
    socket.write('Connected: Universal Robots Dashboard Server\n')
    socket.on('data', (chunk) => {
      for (const command of chunk.toString('latin1').split('\n').filter(Boolean)) {
        this.commands.push(command)
        if (command === 'is in remote control') socket.write(`${this.options.remote}\n`)
        else if (command === 'stop') {
          this.#brake(2, 'stop')
          socket.write('Stopped\n')
        } else socket.write(`could not understand: "${command}"\n`)
      }
    })
  }
}
