/** The simulated robot arm over time: its controller, its position, and its track. */
import { type Pose, product, conjugated, ofRotationVector, rotationVectorOf } from '../../lib/robotics/pose'
import { startTimeout } from '../../lib/kernel/timers'
import { type Clock, systemClock } from '../values'
import { ArmController } from './controller'
import { armModels, type ArmName, type Six } from './kinematics'
import type { ArmSettings } from './state'

interface Waypoint {
  /** Seconds of the clock. */
  at: number
  pose: Pose
}

/** Seconds with all cycles; earlier waypoints are this far apart, and this many are kept. */
const recent = 2

const apart = 0.02

const most = 30_000

/** Seconds: between waypoints farther apart the arm was at rest, or moved at a constant rate. */
const restingGap = 0.05

/** Flange poses of the last ten minutes of motion, by the clock of the device. */
export class Track {
  #points: Waypoint[] = []
  #thinned = 0 // waypoints before this index are already thinned out

  constructor(at: number, pose: Pose) {
    this.#points.push({ at, pose })
  }

  /** Records a pose. @param at seconds of the clock @param cycle seconds of the motion */
  note(at: number, pose: Pose, cycle: number): void {
    // The clock was set back.
    while ((this.#points.at(-1)?.at ?? -Infinity) >= at) this.#points.pop()
    this.#thinned = Math.min(this.#thinned, this.#points.length)
    const last = this.#points.at(-1)
    if (last && at - last.at > 1.5 * cycle) this.#points.push({ at: at - cycle, pose: last.pose })
    this.#points.push({ at, pose })
    if (this.#points.length - this.#thinned > (2 * recent) / cycle) this.#thin(at - recent)
  }

  /** Interpolated; before the first waypoint, its pose. */
  at(seconds: number): Pose {
    let [first, end] = [0, this.#points.length]
    // The first later one.
    while (first < end) {
      const middle = (first + end) >> 1
      if ((this.#points[middle]?.at ?? Infinity) > seconds) end = middle
      else first = middle + 1
    }
    const [before, after] = [this.#points[first - 1], this.#points[first]]
    if (!before || !after) return (before ?? after ?? this.#last).pose
    return between(before.pose, after.pose, (seconds - before.at) / (after.at - before.at))
  }

  get #last(): Waypoint {
    const last = this.#points.at(-1)
    if (!last) throw new Error('A track has at least one waypoint.')
    return last
  }

  /** Drops older waypoints close to their neighbours. */
  #thin(before: number): void {
    const thinned = this.#points.slice(0, this.#thinned)
    let index = this.#thinned
    for (; index < this.#points.length; index++) {
      const [point, next] = [this.#points[index], this.#points[index + 1]]
      if (!point || !next || point.at >= before) break
      const last = thinned.at(-1)
      if (!last || point.at - last.at >= apart || next.at - point.at > restingGap) thinned.push(point)
    }
    const dropped = Math.max(0, thinned.length - most)
    this.#thinned = thinned.length - dropped
    this.#points = [...thinned.slice(dropped), ...this.#points.slice(index)]
  }
}

function between(one: Pose, other: Pose, share: number): Pose {
  const turn = rotationVectorOf(product(conjugated(one.orientation), other.orientation))
  const along = (axis: 'x' | 'y' | 'z') =>
    one.position[axis] + share * (other.position[axis] - one.position[axis])
  return {
    position: { x: along('x'), y: along('y'), z: along('z') },
    orientation: product(
      one.orientation,
      ofRotationVector({ x: share * turn.x, y: share * turn.y, z: share * turn.z }),
    ),
  }
}

export interface ArmClient {
  /** Seconds between packages; undefined if none are sent periodically. */
  period: number | undefined
  cycled?: () => void
  advanced?: () => void
}

/** The flange points down, and the tool has room all around. */
const startJoints: Six = [-0.3, -1.75, -1.75, -1.2, 1.5707963267948966, 0.2]

/** Seconds between two polls of the clock while the arm moves without a client. */
const unwatched = 0.02

/** Seconds of lateness of the process above which the arm pauses too, so that it does not miss its clients' data. */
const standstill = 0.1

const longest = 600 // seconds simulated at once

/** Of the controller's software: major, minor, bugfix, build. */
const versions = { e: [5, 11, 6, 1_010_303], cb3: [3, 15, 8, 106_339] } as const

export class Arm {
  readonly controller: ArmController
  readonly version: readonly [number, number, number, number]
  readonly serial: string
  readonly #clients = new Set<ArmClient>()
  #settings: ArmSettings
  #last: number
  readonly #track: Track
  #timer: { handle: NodeJS.Timeout; wait: number } | undefined
  #lastAdvance = performance.now() // last reading of the clock, monotonic milliseconds
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

  /** The older generation has no local mode. */
  get isRemote(): boolean {
    return this.#settings.remote || this.controller.model.generation === 'cb3'
  }

  get link(): ArmSettings['link'] {
    return this.#settings.link
  }

  flange(): Pose {
    this.advance()
    return this.controller.drive.flange
  }

  /** At a moment of the device's clock, in the base; before the last ten minutes of motion, the oldest known. */
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

  /** Sets the timer; without clients and motion there is none. */
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

  /** Pauses of the whole process, and steps of the machine's clock, do not pass for the arm. */
  #skipStandstill(): void {
    const now = performance.now()
    const elapsed = (now - this.#lastAdvance) / 1000
    this.#lastAdvance = now
    const late = this.#timer ? elapsed - this.#timer.wait / 1000 : 0
    const passed = this.clock.now() - this.#last
    if (this.clock === systemClock && Math.abs(passed - elapsed) > standstill) this.#last += passed - elapsed
    if (late > standstill) this.#last += Math.min(late, Math.max(0, this.clock.now() - this.#last))
  }

  #advanceTo(now: number): void {
    const { controller } = this
    const { cycle } = controller
    // The clock was set back.
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
