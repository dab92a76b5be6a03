import type { Six } from '../kinematics/six'

/** A way of the arm: a line of the tool, or a straight way of the joints. */
export interface Way {
  /** Metres or radians, as speed and acceleration are. */
  length: number
  isLine: boolean
  /** The joints at a distance from the start; undefined if the arm cannot reach that place. */
  at: (distance: number, near: Readonly<Six>) => Six | undefined
}

/** A fraction of the length that is no distance left. */
const nothing = 1e-12

/** Moves along a way with a trapezoidal profile of speed, from stop to stop. */
export class Travel {
  #gone = 0
  #speed = 0
  /** Set when it stops before the end. */
  #braking: number | undefined

  /** @param speed of the profile's top @param acceleration of both its flanks */
  constructor(
    private readonly way: Way,
    private readonly speed: number,
    private readonly acceleration: number,
  ) {}

  get isOver(): boolean {
    return this.#braking === undefined ? this.#gone >= this.way.length : this.#speed <= 0
  }

  /** Stops on the way. @param deceleration the larger one counts if it brakes already */
  brake(deceleration: number): void {
    this.#braking = Math.max(this.#braking ?? 0, deceleration)
  }

  /**
   * The joints one cycle later; undefined if the arm cannot reach them.
   * @param seconds of the cycle @param scale share of the speed that the speed slider allows
   */
  next(seconds: number, scale: number, near: Readonly<Six>): Six | undefined {
    const left = this.way.length - this.#gone
    if (this.#braking !== undefined) this.#speed = Math.max(0, this.#speed - this.#braking * seconds)
    else {
      const most = this.acceleration * seconds
      // Speed from which the rest of the way is just enough to stop, in whole cycles.
      const stopping = Math.sqrt((most / 2) ** 2 + 2 * this.acceleration * left) - most / 2
      const wanted = Math.min(this.speed * scale, stopping)
      this.#speed = Math.max(this.#speed - most, Math.min(this.#speed + most, wanted))
    }
    const step = Math.min(left, this.#speed * seconds)
    const arrives = left - step <= nothing * this.way.length + 1e-9
    this.#gone = arrives ? this.way.length : this.#gone + step
    if (arrives) this.#speed = 0
    return this.way.at(this.#gone, near)
  }
}
