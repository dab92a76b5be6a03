/** Motion of the arm: speed profile, brakes, and the joints that follow. Advances cycle by cycle. */
import {
  composed,
  distance,
  inverted,
  type Pose,
  product,
  type Vector,
  conjugated,
  ofRotationVector,
  rotationVectorOf,
} from '../../lib/robotics/pose'
import { type ArmModel, at, flangeAt, jointLimit, jointsAt, six, type Six, zeros } from './kinematics'

/** Metres per radian of rotation, so that a turn on the spot takes time too. Our choice: the maker does not publish it. */
const metresPerRadian = 0.25

/** The tool moves in a straight line and turns evenly. @param tool in the flange's frame */
function lineOf(model: ArmModel, from: Pose, to: Pose, tool: Pose): ArmPath {
  const turn = rotationVectorOf(product(to.orientation, conjugated(from.orientation)))
  const angle = Math.hypot(turn.x, turn.y, turn.z)
  const length = Math.max(distance(from.position, to.position), metresPerRadian * angle)
  const off = inverted(tool)
  const between = (one: number, other: number, share: number) => one + share * (other - one)
  const share = (gone: number) => (length > 0 ? gone / length : 1)
  return {
    length,
    isLine: true,
    at: (gone, near) => {
      const part = share(gone)
      const [a, b] = [from.position, to.position]
      const turned = ofRotationVector({ x: part * turn.x, y: part * turn.y, z: part * turn.z })
      const tcp = {
        position: { x: between(a.x, b.x, part), y: between(a.y, b.y, part), z: between(a.z, b.z, part) },
        orientation: product(turned, from.orientation),
      }
      return jointsAt(model, composed(tcp, off), near)
    },
  }
}

/** All joints turn evenly and arrive at the same time; the length is that of the leading joint. */
function jointPath(from: Six, to: Six): ArmPath {
  const length = Math.max(...six((index) => Math.abs(at(to, index) - at(from, index))))
  return {
    length,
    isLine: false,
    at: (gone) => {
      const share = length > 0 ? gone / length : 1
      return six((index) => at(from, index) + share * (at(to, index) - at(from, index)))
    },
  }
}

/** Top speed of a path with this duration, including acceleration. */
function speedFor(length: number, seconds: number, acceleration: number): number {
  const root = (acceleration * seconds) ** 2 - 4 * acceleration * length
  return root <= 0 ? Math.sqrt(acceleration * length) : (acceleration * seconds - Math.sqrt(root)) / 2
}

interface ArmPath {
  /** Metres or radians, as speed and acceleration. */
  length: number
  isLine: boolean
  /** The joints at a distance from the start; undefined if out of reach. */
  at: (distance: number, near: Readonly<Six>) => Six | undefined
}

const nothing = 1e-12 // fraction of the length that counts as no distance

/** Moves along a path with a trapezoidal speed profile, from stop to stop. */
class Travel {
  #gone = 0
  #speed = 0
  #braking: number | undefined // deceleration of a stop before the end

  /** @param speed of the profile's top @param acceleration of both its flanks */
  constructor(
    private readonly path: ArmPath,
    private readonly speed: number,
    private readonly acceleration: number,
  ) {}

  get isOver(): boolean {
    return this.#braking === undefined ? this.#gone >= this.path.length : this.#speed <= 0
  }

  /** Stops on the path. @param deceleration the larger one counts if it brakes already */
  brake(deceleration: number): void {
    this.#braking = Math.max(this.#braking ?? 0, deceleration)
  }

  /** The joints one cycle later; undefined if out of reach. @param seconds of the cycle @param scale of the speed slider */
  next(seconds: number, scale: number, near: Readonly<Six>): Six | undefined {
    const left = this.path.length - this.#gone
    if (this.#braking !== undefined) this.#speed = Math.max(0, this.#speed - this.#braking * seconds)
    else {
      const most = this.acceleration * seconds
      // Highest speed at which the rest of the path suffices to stop, in whole cycles.
      const stopping = Math.sqrt((most / 2) ** 2 + 2 * this.acceleration * left) - most / 2
      const target = Math.min(this.speed * scale, stopping)
      this.#speed = Math.max(this.#speed - most, Math.min(this.#speed + most, target))
    }
    const step = Math.min(left, this.#speed * seconds)
    const arrives = left - step <= nothing * this.path.length + 1e-9
    this.#gone = arrives ? this.path.length : this.#gone + step
    if (arrives) this.#speed = 0
    return this.path.at(this.#gone, near)
  }
}

/** Brakes all joints in proportion, so that they stop at the same time. */
class JointBrake {
  /** @param speeds rad/s @param deceleration rad/s² of the fastest joint */
  constructor(
    private speeds: Six,
    private readonly deceleration: number,
  ) {}

  get isOver(): boolean {
    return this.speeds.every((speed) => speed === 0)
  }

  next(seconds: number, joints: Readonly<Six>): Six {
    const fastest = Math.max(...this.speeds.map(Math.abs))
    const left = Math.max(0, fastest - this.deceleration * seconds)
    const share = fastest > 0 ? left / fastest : 0
    this.speeds = six((index) => share * at(this.speeds, index))
    return six((index) => at(joints, index) + at(this.speeds, index) * seconds)
  }
}

class Excursion {
  least: Vector | undefined
  most: Vector | undefined

  note({ position }: Pose): void {
    const { least = position, most = position } = this
    const each = (of: (...numbers: number[]) => number, other: Vector): Vector => ({
      x: of(position.x, other.x),
      y: of(position.y, other.y),
      z: of(position.z, other.z),
    })
    this.least = each(Math.min, least)
    this.most = each(Math.max, most)
  }
}

/** Deceleration of the fastest joint after the last motion command, rad/s². */
const unattended = 4

/** A time takes precedence over the speed. */
interface MotionLimits {
  speed: number
  acceleration: number
  time?: number
}

/** The joints of a simulated arm and what moves them, cycle by cycle. */
export class Drive {
  /** In the base. */
  flange: Pose
  /** Of the last cycle, rad/s. */
  speeds: Six = zeros()
  readonly excursion = new Excursion()
  motions = 0
  #motion: Travel | JointBrake | undefined
  #alongLine = false

  /** @param joints initial, radians @param tool in the flange's frame @param cycle seconds */
  constructor(
    readonly model: ArmModel,
    public joints: Six,
    public tool: Pose,
    private readonly cycle: number,
  ) {
    this.flange = flangeAt(model, joints)
    this.excursion.note(this.flange)
  }

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

  get moves(): boolean {
    return this.#motion !== undefined
  }

  /** Moving along a path and not just braking, at a visible speed. */
  get travels(): boolean {
    return this.#motion instanceof Travel && this.speeds.some((speed) => Math.abs(speed) > 0.01)
  }

  /** Moves the active tool in a line to a pose of the base. m/s, m/s² */
  moveLine(to: Pose, limits: MotionLimits): void {
    this.#travel(lineOf(this.model, this.tcp, to, this.tool), limits)
  }

  /** rad/s and rad/s² of the leading joint */
  moveJoints(to: Six, limits: MotionLimits): void {
    const path = jointPath([...this.joints], to)
    const fits = six((index) => {
      const share = Math.abs(at(to, index) - at(this.joints, index)) / path.length
      return share > 0 ? at(this.model.fastest, index) / share : Infinity
    })
    this.#travel(path, { ...limits, speed: Math.min(limits.speed, 0.999 * Math.min(...fits)) })
  }

  /** Along a line, m/s² of the tool. */
  stopLine(deceleration: number): void {
    if (this.#motion instanceof Travel) this.#motion.brake(deceleration)
    else {
      const [x, y, z] = this.tcpSpeed
      const speed = Math.hypot(x, y, z)
      this.stopJoints(speed > 1e-6 ? (deceleration * this.#fastest) / speed : unattended)
    }
  }

  /** rad/s² of the fastest joint */
  stopJoints(deceleration: number): void {
    if (this.#motion) this.#motion = new JointBrake([...this.speeds], deceleration)
  }

  /** Brakes after the last motion command; stays on its path until a command stops it. */
  abandon(): void {
    if (!(this.#motion instanceof Travel)) return
    const fastest = this.#fastest
    const [x, y, z] = this.tcpSpeed
    const speed = this.#alongLine ? Math.hypot(x, y, z) : fastest
    if (fastest > 1e-9) this.#motion.brake((unattended * Math.max(speed, 1e-6)) / fastest)
    else this.#motion = undefined
  }

  /**
   * One cycle. @param scaling current share of the speed @returns the joint that cannot continue, without any motion:
   * it would turn too fast, as near a singularity, or too far; 0 if out of reach
   */
  advance(scaling: number): number | undefined {
    const motion = this.#motion
    if (!motion) return undefined
    const next =
      motion instanceof Travel
        ? motion.next(this.cycle, scaling, this.joints)
        : motion.next(this.cycle, this.joints)
    if (!next) return 0
    const wrong = motion instanceof Travel ? this.#wrongJoint(next) : undefined
    if (wrong !== undefined) return wrong
    const before = this.joints
    this.speeds = six((index) => (at(next, index) - at(before, index)) / this.cycle)
    this.joints = next
    this.flange = flangeAt(this.model, next)
    this.excursion.note(this.flange)
    if (motion.isOver) {
      this.#motion = undefined
      this.speeds = zeros()
    }
    return undefined
  }

  get #fastest(): number {
    return Math.max(...this.speeds.map(Math.abs))
  }

  #travel(path: ArmPath, { speed, acceleration, time = 0 }: MotionLimits): void {
    const top = time > 0 ? speedFor(path.length, time, acceleration) : speed
    this.#alongLine = path.isLine
    this.#motion = new Travel(path, top, acceleration)
    this.motions++
  }

  #wrongJoint(next: Six): number | undefined {
    const wrong = next.findIndex((joint, index) => {
      const speed = Math.abs(joint - at(this.joints, index)) / this.cycle
      return speed > at(this.model.fastest, index) || Math.abs(joint) > jointLimit
    })
    return wrong < 0 ? undefined : wrong
  }
}

/** The flange pose that brings a tool to a pose. */
export const flangeFor = (tcp: Pose, tool: Pose): Pose => composed(tcp, inverted(tool))
