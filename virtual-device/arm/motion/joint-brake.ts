import { at, six, type Six } from '../kinematics/six'

/** Brakes all joints in proportion, so that they stop at the same time. */
export class JointBrake {
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
