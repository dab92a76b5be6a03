import { type Pose, ofRotationVector } from '../../lib/robotics/pose'
import { startTimeout } from '../../lib/kernel/timers'
import { type Clock, systemClock } from '../values'
import { ArmController } from './controller'
import { armModels, type ArmName, type Six } from './kinematics'
import type { ArmSettings } from './state'
import { Track } from './track'

/** A client of the arm. */
export interface ArmClient {
  /** Seconds between what it is sent; undefined if nothing is sent by itself. */
  period: number | undefined
  /** Called after each cycle. */
  cycled?: () => void
  /** Called after one or more cycles. */
  advanced?: () => void
}

/** The flange points down, and the tool has room all around. */
const startJoints: Six = [-0.3, -1.75, -1.75, -1.2, 1.5707963267948966, 0.2]

/** Seconds between two looks at the clock while the arm does something that nobody watches. */
const unwatched = 0.02

/** Lateness of the process in which the arm stands still with it, so that it does not miss what its clients send. */
const standstill = 0.1

/** Longest time that is simulated at once, seconds. */
const longest = 600

/** Version of the controller's software: major, minor, bugfix, build. */
const versions = { e: [5, 11, 6, 1_010_303], cb3: [3, 15, 8, 106_339] } as const

/** The simulated arm in the device's time. */
export class Arm {
  readonly controller: ArmController
  readonly version: readonly [number, number, number, number]
  readonly serial: string
  readonly #clients = new Set<ArmClient>()
  #settings: ArmSettings
  #last: number
  readonly #track: Track
  #timer: { handle: NodeJS.Timeout; wait: number } | undefined
  /** When it looked at the clock last: milliseconds of a clock that never steps. */
  #looked = performance.now()
  #isAdvancing = false
  #stopped = false

  constructor(
    readonly name: ArmName,
    private readonly clock: Clock,
    settings: ArmSettings,
  ) {
    const model = armModels[name]
    this.controller = new ArmController(model, [...startJoints])
    this.version = versions[model.generation]
    this.serial = model.generation === 'e' ? '20205500001' : '2015350001'
    this.#settings = settings
    this.#last = clock.now()
    this.#track = new Track(this.#last, this.controller.drive.flange)
    this.controller.apply(settings, toolOf)
  }

  get versionText(): string {
    return `URSoftware ${this.version.join('.')} (Nov 09 2021)`
  }

  /** The older generation knows no local mode. */
  get isRemote(): boolean {
    return this.#settings.remote || this.controller.model.generation === 'cb3'
  }

  get link(): ArmSettings['link'] {
    return this.#settings.link
  }

  /** The flange at present, in the base. */
  flange(): Pose {
    this.advance()
    return this.controller.drive.flange
  }

  /** The flange at a moment of the device's clock, in the base; before the last ten minutes of motion, the oldest known. */
  flangeAt(seconds: number): Pose {
    this.advance()
    return this.#track.at(seconds)
  }

  apply(settings: ArmSettings): void {
    this.advance()
    this.#settings = settings
    this.controller.apply(settings, toolOf)
    this.wake()
  }

  add(client: ArmClient): void {
    this.advance()
    this.#clients.add(client)
    this.wake()
  }

  remove(client: ArmClient): void {
    this.advance()
    this.#clients.delete(client)
    this.wake()
  }

  /** Simulates everything up to now. */
  advance(): void {
    if (this.#isAdvancing) return
    this.#isAdvancing = true
    try {
      this.#skipStandstill()
      this.#advanceTo(this.clock.now())
    } finally {
      this.#isAdvancing = false
    }
  }

  /** Sets the timer for what is to come; without clients and motion there is none. */
  wake(): void {
    if (this.#timer) clearTimeout(this.#timer.handle)
    this.#timer = undefined
    const periods = [...this.#clients].flatMap(({ period }) => period ?? [])
    if (this.controller.isBusy) periods.push(unwatched)
    if (periods.length === 0 || this.#stopped) return
    const wait = 1000 * Math.min(...periods)
    this.#timer = { handle: startTimeout(() => this.#tick(), wait), wait }
  }

  stop(): void {
    this.#stopped = true
    this.wake()
  }

  #tick(): void {
    this.advance()
    this.wake()
  }

  /** The time in which the whole process stood still, and steps of the machine's clock, do not pass for the arm. */
  #skipStandstill(): void {
    const now = performance.now()
    const elapsed = (now - this.#looked) / 1000
    this.#looked = now
    const late = this.#timer ? elapsed - this.#timer.wait / 1000 : 0
    const passed = this.clock.now() - this.#last
    if (this.clock === systemClock && Math.abs(passed - elapsed) > standstill) this.#last += passed - elapsed
    if (late > standstill) this.#last += Math.min(late, Math.max(0, this.clock.now() - this.#last))
  }

  #advanceTo(now: number): void {
    const { controller } = this
    const { cycle } = controller
    // A clock that was set back.
    if (now < this.#last) this.#last = now
    this.#last = Math.max(this.#last, now - longest)
    // Seconds since 1970 are exact to a quarter of a microsecond.
    const count = Math.floor((now - this.#last) / cycle + 1e-3)
    if (count === 0) return
    const start = this.#last
    this.#last += count * cycle
    const watched = [...this.#clients].filter(({ cycled, period }) => cycled && period !== undefined)
    for (let left = count; left > 0; left--) {
      if (watched.length === 0 && !controller.isBusy) {
        controller.time += left * cycle
        break
      }
      const { drive } = controller
      const before = drive.flange
      controller.advance()
      if (drive.flange !== before) this.#track.note(start + (count - left + 1) * cycle, drive.flange, cycle)
      for (const client of watched) client.cycled?.()
    }
    for (const client of [...this.#clients]) client.advanced?.()
  }
}

const toolOf = ([x, y, z, rx, ry, rz]: Six): Pose => ({
  position: { x, y, z },
  orientation: ofRotationVector({ x: rx, y: ry, z: rz }),
})
