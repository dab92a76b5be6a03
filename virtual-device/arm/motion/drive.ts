import { composed, inverted, product, type Pose } from '../../../lib/robotics/pose'
import { conjugated, rotationVectorOf } from '../../../lib/robotics/rotation'
import { flangeAt } from '../kinematics/forward'
import { jointLimit, type ArmModel } from '../kinematics/models'
import { at, six, zeros, type Six } from '../kinematics/six'
import { Excursion } from './excursion'
import { JointBrake } from './joint-brake'
import { Travel, type Way } from './travel'
import { jointWay, lineOf, speedFor } from './ways'

/** Deceleration of the fastest joint when nobody commands a motion any more, rad/s². */
const unattended = 4

/** What a motion asks for; a time takes precedence over the speed. */
export interface MotionLimits {
  speed: number
  acceleration: number
  /** Seconds; 0 for none. */
  time?: number
}

/** The joints of a simulated arm and what moves them, cycle by cycle. */
export class Drive {
  /** The flange in the base. */
  flange: Pose
  /** Of the last cycle, rad/s. */
  speeds: Six = zeros()
  /** Where the flange has been. */
  readonly excursion = new Excursion()
  /** Motions begun since the start. */
  motions = 0
  #motion: Travel | JointBrake | undefined
  #alongLine = false

  /** @param joints at the start, radians @param tool in the flange's frame @param cycle seconds */
  constructor(
    readonly model: ArmModel,
    public joints: Six,
    public tool: Pose,
    private readonly cycle: number,
  ) {
    this.flange = flangeAt(model, joints)
    this.excursion.note(this.flange)
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

  /** Whether it is on a way of its own and not just braking, at a speed that can be seen. */
  get travels(): boolean {
    return this.#motion instanceof Travel && this.speeds.some((speed) => Math.abs(speed) > 0.01)
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
      this.stopJoints(speed > 1e-6 ? (deceleration * this.#fastest) / speed : unattended)
    }
  }

  /** rad/s² of the fastest joint */
  stopJoints(deceleration: number): void {
    if (this.#motion) this.#motion = new JointBrake([...this.speeds], deceleration)
  }

  /** Brakes because nobody commands the motion any more; it stays on its way until told how to stop. */
  abandon(): void {
    if (!(this.#motion instanceof Travel)) return
    const fastest = this.#fastest
    const [x, y, z] = this.tcpSpeed
    const speed = this.#alongLine ? Math.hypot(x, y, z) : fastest
    if (fastest > 1e-9) this.#motion.brake((unattended * Math.max(speed, 1e-6)) / fastest)
    else this.#motion = undefined
  }

  /**
   * One cycle.
   * @param scaling share of the speed that holds at present
   * @returns the joint that cannot go on: it would turn too fast, as near a singularity, or too far; 0 also for a place
   * out of reach. Nothing has moved then.
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

  #travel(way: Way, { speed, acceleration, time = 0 }: MotionLimits): void {
    const top = time > 0 ? speedFor(way.length, time, acceleration) : speed
    this.#alongLine = way.isLine
    this.#motion = new Travel(way, top, acceleration)
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

/** The flange that brings a tool to a pose. */
export const flangeFor = (tcp: Pose, tool: Pose): Pose => composed(tcp, inverted(tool))
