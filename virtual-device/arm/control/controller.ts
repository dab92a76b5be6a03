import { composed, inverted, identity, product, type Pose } from '../../../lib/robotics/pose'
import { conjugated, rotationVectorOf } from '../../../lib/robotics/quaternion'
import { flangeAt } from '../kinematics/forward'
import { jointLimit, type ArmModel } from '../kinematics/models'
import { at, six, zeros, type Six } from '../kinematics/six'
import { JointBrake } from '../motion/joint-brake'
import { Travel, type Way } from '../motion/travel'
import { jointWay, lineOf, speedFor } from '../motion/ways'
import type { ArmMessage, ArmProgram, RobotMode, RuntimeState, SafetyMode } from './arm-state'
import { safetyModes } from './arm-state'
import type { ArmSettings } from './arm-settings'
import { Excursion } from './excursion'
import { Registers } from './registers'
import { Watchdogs } from './watchdogs'

/** Decelerations of the fastest joint, rad/s²: when a program ends, at a protective stop, at an emergency stop. */
const brakes = { program: 4, protective: 10, emergency: 16 } as const
/** Duration of switching on and of releasing the brakes, seconds. */
const switching = 1
/** Seconds until a protective stop can be unlocked. */
const untilUnlock = 5
/** Code of the message of a protective stop. */
const positionDeviates = 153

/** What a motion asks for; a time takes precedence over the speed. */
export interface MotionLimits {
  speed: number
  acceleration: number
  /** Seconds; 0 for none. */
  time?: number
}

/** The controller of a simulated arm: its state, what moves it, and what stops it. Advances cycle by cycle. */
export class ArmController {
  /** Seconds of one cycle. */
  readonly cycle: number
  /** Seconds since its start. */
  time = 0
  joints: Six
  /** Of the last cycle, rad/s. */
  speeds: Six = zeros()
  mode: RobotMode = 'RUNNING'
  safety: SafetyMode = 'NORMAL'
  runtime: RuntimeState = 'STOPPED'
  /** Fraction of the speed slider. */
  slider = 1
  /** The active tool in the flange's frame. */
  tool: Pose = identity()
  /** kg */
  payload = 0
  /** The centre of gravity in the flange's frame, metres. */
  centre: [number, number, number] = [0, 0, 0]
  readonly inputs = new Registers()
  readonly outputs = new Registers()
  readonly watchdogs = new Watchdogs()
  /** Where the flange has been. */
  readonly excursion = new Excursion()
  /** Motions begun since the start. */
  motions = 0
  /** Whether a motion is to end in a protective stop at once. */
  trips = false
  #program: ArmProgram | undefined
  #motion: Travel | JointBrake | undefined
  #switches: { at: number; mode: RobotMode } | undefined
  #stoppedAt = -Infinity
  #alongLine = false
  /** Undefined until the scenario has been applied once. */
  #settings: ArmSettings | undefined
  readonly #listeners = new Set<(message: ArmMessage) => void>()

  /** @param joints at the start, radians */
  constructor(
    readonly model: ArmModel,
    joints: Six,
  ) {
    this.cycle = model.generation === 'e' ? 1 / 500 : 1 / 125
    this.joints = joints
    this.excursion.note(this.flange)
  }

  /** The flange in the base. */
  get flange(): Pose {
    return flangeAt(this.model, this.joints)
  }

  /** The active tool in the base. */
  get tcp(): Pose {
    return composed(this.flange, this.tool)
  }

  /** Metres and radians per second, in the base. */
  get tcpSpeed(): Six {
    if (this.speeds.every((speed) => speed === 0)) return zeros()
    const before = composed(
      flangeAt(
        this.model,
        six((index) => at(this.joints, index) - at(this.speeds, index) * this.cycle),
      ),
      this.tool,
    )
    const { position: p, orientation } = this.tcp
    const turn = rotationVectorOf(product(orientation, conjugated(before.orientation)))
    const { x, y, z } = before.position
    const moved = [p.x - x, p.y - y, p.z - z, turn.x, turn.y, turn.z] as const
    return six((index) => (moved[index] ?? 0) / this.cycle)
  }

  /** Whether a motion is under way. */
  get moves(): boolean {
    return this.#motion !== undefined
  }

  /** Whether anything would change with time. */
  get isBusy(): boolean {
    return this.moves || this.#switches !== undefined || this.#program !== undefined
  }

  get programName(): string | undefined {
    return this.#program?.name
  }

  /** Share of the speed that holds at present. */
  get scaling(): number {
    return this.runtime === 'PAUSED' ? 0 : this.slider * (this.#settings?.speed ?? 1)
  }

  /** @param heard called with each message @returns what ends that */
  onMessage(heard: (message: ArmMessage) => void): () => void {
    this.#listeners.add(heard)
    return () => void this.#listeners.delete(heard)
  }

  tell(message: ArmMessage): void {
    for (const heard of this.#listeners) heard(message)
  }

  /** One cycle. */
  advance(): void {
    this.time += this.cycle
    if (this.#switches && this.time >= this.#switches.at) {
      this.mode = this.#switches.mode
      this.#switches = undefined
    }
    const late = this.#program && this.watchdogs.late(this.time)
    if (late === 'pause') this.pause()
    if (late === 'stop') this.endProgram()
    if (this.#program && this.runtime === 'PLAYING') {
      const ended = this.#program.cycle()
      if (ended) this.endProgram()
    }
    this.#move()
  }

  /** Replaces the program that runs. Does nothing unless the arm is ready to move. */
  run(program: ArmProgram): void {
    this.endProgram()
    if (this.mode !== 'RUNNING' || this.safety !== 'NORMAL') return
    this.#program = program
    this.runtime = 'PLAYING'
    this.tell({ kind: 'key', title: 'PROGRAM_XXX_STARTED', text: program.name })
  }

  /** Ends the program; an arm that moves brakes. */
  endProgram(): void {
    const program = this.#program
    if (!program) return
    this.#program = undefined
    this.runtime = 'STOPPED'
    this.watchdogs.clear()
    this.abandon()
    this.tell({ kind: 'key', title: 'PROGRAM_XXX_STOPPED', text: program.name })
  }

  pause(): boolean {
    if (this.runtime !== 'PLAYING') return false
    this.runtime = 'PAUSED'
    return true
  }

  resume(): boolean {
    if (this.runtime !== 'PAUSED') return false
    this.watchdogs.rest(this.time)
    this.runtime = 'PLAYING'
    return true
  }

  /** Moves the active tool in a line to a pose of the base. m/s, m/s² */
  moveLine(to: Pose, limits: MotionLimits): void {
    this.#travel(lineOf(this.model, this.tcp, to, this.tool), limits)
  }

  /** rad/s and rad/s² of the leading joint */
  moveJoints(to: Six, limits: MotionLimits): void {
    const way = jointWay([...this.joints], to)
    const fits = six((index) => {
      const share = Math.abs(at(to, index) - at(this.joints, index)) / way.length
      return share > 0 ? at(this.model.fastest, index) / share : Infinity
    })
    this.#travel(way, { ...limits, speed: Math.min(limits.speed, 0.999 * Math.min(...fits)) })
  }

  /** Brakes on the way of a line, m/s² of the tool. */
  stopLine(deceleration: number): void {
    if (this.#motion instanceof Travel) this.#motion.brake(deceleration)
    else {
      const [x, y, z] = this.tcpSpeed
      const speed = Math.hypot(x, y, z)
      const fastest = Math.max(...this.speeds.map(Math.abs))
      this.stopJoints(speed > 1e-6 ? (deceleration * fastest) / speed : brakes.program)
    }
  }

  /** rad/s² of the fastest joint */
  stopJoints(deceleration: number): void {
    if (this.#motion) this.#motion = new JointBrake([...this.speeds], deceleration)
  }

  /** Brakes because nobody commands the motion any more; it stays on its way until told how to stop. */
  abandon(): void {
    if (!(this.#motion instanceof Travel)) return
    const fastest = Math.max(...this.speeds.map(Math.abs))
    const [x, y, z] = this.tcpSpeed
    const speed = this.#alongLine ? Math.hypot(x, y, z) : fastest
    if (fastest > 1e-9) this.#motion.brake((brakes.program * Math.max(speed, 1e-6)) / fastest)
    else this.#motion = undefined
  }

  protectiveStop(argument = 0): void {
    if (this.safety !== 'NORMAL') return
    this.safety = 'PROTECTIVE_STOP'
    this.#stoppedAt = this.time
    this.tell({ kind: 'error', code: positionDeviates, argument, level: 2, text: '' })
    this.tell({ kind: 'safety', mode: safetyModes.PROTECTIVE_STOP })
    this.#halt(brakes.protective)
  }

  /** @returns whether it can be unlocked already */
  unlock(): boolean {
    if (this.safety === 'PROTECTIVE_STOP') {
      if (this.time - this.#stoppedAt < untilUnlock) return false
      this.#safetyTurns('NORMAL')
    }
    return true
  }

  emergencyStop(pressed: boolean): void {
    if (pressed === (this.safety === 'ROBOT_EMERGENCY_STOP')) return
    if (pressed) {
      this.#safetyTurns('ROBOT_EMERGENCY_STOP')
      this.#halt(brakes.emergency)
      this.#switches = undefined
      this.mode = 'POWER_OFF'
    } else this.#safetyTurns('NORMAL')
  }

  powerOn(): void {
    if (this.mode === 'POWER_OFF' && this.safety === 'NORMAL') this.#switchTo('BOOTING', 'IDLE')
  }

  brakeRelease(): void {
    const off = this.mode === 'POWER_OFF' || this.mode === 'IDLE' || this.mode === 'BOOTING'
    if (off && this.safety === 'NORMAL') this.#switchTo('POWER_ON', 'RUNNING')
  }

  powerOff(): void {
    this.#halt(brakes.protective)
    this.#switches = undefined
    this.mode = 'POWER_OFF'
  }

  /** What the scenario provokes: only what has changed, since programs and the pendant change the same. */
  apply(settings: ArmSettings, toolOf: (six: Six) => Pose): void {
    const before = this.#settings
    const { protective_stop, tcp, payload } = settings
    this.#settings = settings
    if (String(tcp) !== String(before?.tcp)) this.tool = toolOf(tcp)
    if (payload !== before?.payload) this.payload = payload
    this.emergencyStop(settings.emergency_stop)
    if (protective_stop === before?.protective_stop) return
    this.trips = protective_stop === 'next_motion'
    if (protective_stop === 'now') this.protectiveStop()
  }

  #travel(way: Way, { speed, acceleration, time = 0 }: MotionLimits): void {
    const top = time > 0 ? speedFor(way.length, time, acceleration) : speed
    this.#alongLine = way.isLine
    this.#motion = new Travel(way, top, acceleration)
    this.motions++
  }

  #move(): void {
    const motion = this.#motion
    if (!motion) return
    const next =
      motion instanceof Travel
        ? motion.next(this.cycle, this.scaling, this.joints)
        : motion.next(this.cycle, this.joints)
    const wrong = next ? this.#wrongJoint(next, motion) : 0
    if (!next || wrong !== undefined) {
      this.protectiveStop(wrong)
      return
    }
    const before = this.joints
    this.speeds = six((index) => (at(next, index) - at(before, index)) / this.cycle)
    this.joints = next
    this.excursion.note(this.flange)
    if (this.trips && motion instanceof Travel && this.speeds.some((speed) => Math.abs(speed) > 0.01)) {
      this.trips = false
      this.protectiveStop()
    } else if (motion.isOver) {
      this.#motion = undefined
      this.speeds = zeros()
    }
  }

  /** A joint that would turn too fast, as near a singularity, or too far. */
  #wrongJoint(next: Six, motion: Travel | JointBrake): number | undefined {
    if (motion instanceof JointBrake) return undefined
    const wrong = next.findIndex((joint, index) => {
      const speed = Math.abs(joint - at(this.joints, index)) / this.cycle
      return speed > at(this.model.fastest, index) || Math.abs(joint) > jointLimit
    })
    return wrong < 0 ? undefined : wrong
  }

  /** Ends everything that moves. */
  #halt(deceleration: number): void {
    if (this.#motion) this.#motion = new JointBrake([...this.speeds], deceleration)
    this.endProgram()
  }

  #safetyTurns(mode: SafetyMode): void {
    this.safety = mode
    this.tell({ kind: 'safety', mode: safetyModes[mode] })
  }

  #switchTo(now: RobotMode, then: RobotMode): void {
    this.mode = now
    this.#switches = { at: this.time + switching, mode: then }
  }
}

/** The flange that brings a tool to a pose. */
export const flangeFor = (tcp: Pose, tool: Pose): Pose => composed(tcp, inverted(tool))
