/** The controller of the arm: power, safety, watchdogs, and the running program. Knows no connection. */
import { identity, type Pose } from '../../lib/robotics/pose'
import { Drive } from './drive'
import type { ArmModel, Six } from './kinematics'
import {
  type ArmMessage,
  type ArmProgram,
  type ArmSettings,
  Registers,
  type RobotMode,
  type RuntimeState,
  type SafetyMode,
  safetyModes,
} from './state'

const switching = 1 // duration of powering on and of releasing the brakes, seconds

class Power {
  mode: RobotMode = 'RUNNING'
  #switches: { at: number; mode: RobotMode } | undefined

  get isSwitching(): boolean {
    return this.#switches !== undefined
  }

  on(now: number): void {
    if (this.mode === 'POWER_OFF') this.#switchTo('BOOTING', 'IDLE', now)
  }

  releaseBrakes(now: number): void {
    if (this.mode === 'POWER_OFF' || this.mode === 'IDLE' || this.mode === 'BOOTING')
      this.#switchTo('POWER_ON', 'RUNNING', now)
  }

  off(): void {
    this.#switches = undefined
    this.mode = 'POWER_OFF'
  }

  advance(now: number): void {
    if (!this.#switches || now < this.#switches.at) return
    this.mode = this.#switches.mode
    this.#switches = undefined
  }

  #switchTo(first: RobotMode, then: RobotMode, now: number): void {
    this.mode = first
    this.#switches = { at: now + switching, mode: then }
  }
}

const untilUnlock = 5 // before a protective stop can be unlocked

const positionDeviates = 153 // message code of a protective stop

/** The current safety stop, if any. It does not brake itself. */
class Safety {
  mode: SafetyMode = 'NORMAL'
  #stoppedAt = -Infinity

  constructor(private readonly notify: (message: ArmMessage) => void) {}

  get isNormal(): boolean {
    return this.mode === 'NORMAL'
  }

  /** @param joint the cause, from 0 @returns whether it stops the arm */
  protectiveStop(joint: number, now: number): boolean {
    if (!this.isNormal) return false
    this.#stoppedAt = now
    this.notify({ kind: 'error', code: positionDeviates, argument: joint, level: 2, text: '' })
    this.#turn('PROTECTIVE_STOP')
    return true
  }

  unlock(now: number): boolean {
    if (this.mode !== 'PROTECTIVE_STOP') return true
    if (now - this.#stoppedAt < untilUnlock) return false
    this.#turn('NORMAL')
    return true
  }

  emergencyStop(pressed: boolean): boolean {
    if (pressed === (this.mode === 'ROBOT_EMERGENCY_STOP')) return false
    this.#turn(pressed ? 'ROBOT_EMERGENCY_STOP' : 'NORMAL')
    return pressed
  }

  #turn(mode: SafetyMode): void {
    this.mode = mode
    this.notify({ kind: 'safety', mode: safetyModes[mode] })
  }
}

export type WatchdogAction = 'pause' | 'stop' | 'ignore'

/** Input fields that a program requires to keep arriving. */
class Watchdogs {
  readonly #watched = new Map<string, { seconds: number; action: WatchdogAction; last: number }>()

  /** @param seconds longest time between two values; 0 ends the watch */
  watch(field: string, seconds: number, action: WatchdogAction, now: number): void {
    if (seconds > 0 && action !== 'ignore') this.#watched.set(field, { seconds, action, last: now })
    else this.#watched.delete(field)
  }

  received(fields: readonly string[], now: number): void {
    for (const field of fields) {
      const watched = this.#watched.get(field)
      if (watched) watched.last = now
    }
  }

  /** A pause of the program does not count. */
  rest(now: number): void {
    for (const watched of this.#watched.values()) watched.last = now
  }

  /** The action for a late value. */
  late(now: number): WatchdogAction | undefined {
    const late = [...this.#watched.values()].filter(({ seconds, last }) => now - last > seconds)
    return late.some(({ action }) => action === 'stop') ? 'stop' : late[0]?.action
  }

  clear(): void {
    this.#watched.clear()
  }
}

/** Decelerations of the fastest joint, rad/s²: for a protective stop or power-off, and for an emergency stop. */
const brakes = { protective: 10, emergency: 16 } as const

/** Runs a program, and ends it when the arm is stopped. Advances cycle by cycle. */
export class ArmController {
  readonly cycle: number
  /** Seconds since its start. */
  time = 0
  runtime: RuntimeState = 'STOPPED'
  /** Fraction of the speed slider. */
  slider = 1
  /** kg */
  payload = 0
  /** Centre of gravity in the flange's frame, metres. */
  centre: [number, number, number] = [0, 0, 0]
  readonly drive: Drive
  readonly power = new Power()
  readonly safety = new Safety((message) => this.send(message))
  readonly inputs = new Registers()
  readonly outputs = new Registers()
  readonly watchdogs = new Watchdogs()
  /** One bit each: 0 to 7 standard, 8 to 15 configurable, 16 and 17 of the tool. */
  digitalOutputs = 0
  operationalMode: 'NONE' | 'MANUAL' | 'AUTOMATIC' = 'NONE'
  #trips = false // the next motion ends in a protective stop at once
  #program: ArmProgram | undefined
  #settings: ArmSettings | undefined // undefined until the scenario has been applied once
  readonly #listeners = new Set<(message: ArmMessage) => void>()

  /** @param joints initial, radians */
  constructor(
    readonly model: ArmModel,
    joints: Six,
  ) {
    this.cycle = model.generation === 'e' ? 1 / 500 : 1 / 125
    this.drive = new Drive(model, joints, identity(), this.cycle)
  }

  get isBusy(): boolean {
    return this.drive.moves || this.power.isSwitching || this.#program !== undefined
  }

  get programName(): string | undefined {
    return this.#program?.name
  }

  /** Current share of the speed. */
  get scaling(): number {
    return this.runtime === 'PAUSED' ? 0 : this.slider * (this.#settings?.speed ?? 1)
  }

  /** @returns a function that unsubscribes */
  onMessage(listener: (message: ArmMessage) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  send(message: ArmMessage): void {
    for (const listener of this.#listeners) listener(message)
  }

  advance(): void {
    this.time += this.cycle
    this.power.advance(this.time)
    const late = this.#program && this.watchdogs.late(this.time)
    if (late === 'pause') this.pause()
    if (late === 'stop') this.endProgram()
    if (this.#program && this.runtime === 'PLAYING') {
      const ended = this.#program.cycle()
      if (ended) this.endProgram()
    }
    const wrong = this.drive.advance(this.scaling)
    if (wrong !== undefined) this.protectiveStop(wrong)
    else if (this.#trips && this.drive.travels) {
      this.#trips = false
      this.protectiveStop()
    }
  }

  run(program: ArmProgram): void {
    this.endProgram()
    if (this.power.mode !== 'RUNNING' || !this.safety.isNormal) return
    this.#program = program
    this.runtime = 'PLAYING'
    this.send({ kind: 'key', title: 'PROGRAM_XXX_STARTED', text: program.name })
  }

  /** Ends the program; a moving arm brakes. */
  endProgram(): void {
    const program = this.#program
    if (!program) return
    this.#program = undefined
    this.runtime = 'STOPPED'
    this.watchdogs.clear()
    this.drive.abandon()
    program.close?.()
    this.send({ kind: 'key', title: 'PROGRAM_XXX_STOPPED', text: program.name })
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

  protectiveStop(joint = 0): void {
    if (this.safety.protectiveStop(joint, this.time)) this.#halt(brakes.protective)
  }

  unlock(): boolean {
    return this.safety.unlock(this.time)
  }

  powerOn(): void {
    if (this.safety.isNormal) this.power.on(this.time)
  }

  brakeRelease(): void {
    if (this.safety.isNormal) this.power.releaseBrakes(this.time)
  }

  powerOff(): void {
    this.#halt(brakes.protective)
    this.power.off()
  }

  /** Applies changes of the scenario: only what has changed, since programs and the pendant change the same. */
  apply(settings: ArmSettings, toolOf: (six: Six) => Pose): void {
    const before = this.#settings
    const { protective_stop, tcp, payload } = settings
    this.#settings = settings
    if (String(tcp) !== String(before?.tcp)) this.drive.tool = toolOf(tcp)
    if (payload !== before?.payload) this.payload = payload
    if (this.safety.emergencyStop(settings.emergency_stop)) {
      this.#halt(brakes.emergency)
      this.power.off()
    }
    if (protective_stop === before?.protective_stop) return
    this.#trips = protective_stop === 'next_motion'
    if (protective_stop === 'now') this.protectiveStop()
  }

  #halt(deceleration: number): void {
    this.drive.stopJoints(deceleration)
    this.endProgram()
  }
}
