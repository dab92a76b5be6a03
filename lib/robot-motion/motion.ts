/** A running motion: what ends it, what it waits for, and whether it may still move. */
import { check, reasonOf, unlessAborted } from '../kernel/scope'
import { patientTimeout, startInterval } from '../kernel/timers'
import { robotError, RobotError, type Drive, type RobotState, type Pace } from './state'
import { differenceOf } from '../calibration'
import {
  composed,
  conjugated,
  inverted,
  ofRotationVector,
  product,
  rotationVectorOf,
  type Pose,
  type Vector,
} from '../robotics'

interface Waiter<Value> {
  resolve: (value: Value) => void
  reject: (error: Error) => void
}

/** Callers that wait for the next of repeated events. */
export class Waiting<Value> {
  readonly #waiting = new Set<Waiter<Value>>()

  /** @param within milliseconds @param late makes the timeout error @throws RobotError; the reason of the signal */
  next(within: number, signal: AbortSignal | undefined, late: () => Error): Promise<Value> {
    return new Promise((resolve, reject) => {
      const end = () => {
        stop()
        signal?.removeEventListener('abort', aborted)
        this.#waiting.delete(waiter)
      }
      const waiter: Waiter<Value> = {
        resolve: (value) => {
          end()
          resolve(value)
        },
        reject: (error) => {
          end()
          reject(error)
        },
      }
      const aborted = () => {
        const reason: unknown = signal?.reason
        waiter.reject(
          reason instanceof RobotError ? reason : robotError({ code: 'ABORTED', key: 'robot-closed' }),
        )
      }
      const stop = patientTimeout(() => waiter.reject(late()), within)
      this.#waiting.add(waiter)
      if (signal?.aborted) aborted()
      else signal?.addEventListener('abort', aborted, { once: true })
    })
  }

  resolve(value: Value): void {
    for (const waiter of [...this.#waiting]) waiter.resolve(value)
  }

  fail(error: Error): void {
    for (const waiter of [...this.#waiting]) waiter.reject(error)
  }
}

export interface MotionOptions {
  /** Metres per second. @default the limit */
  speed?: number
  /** Metres per second squared. @default the limit */
  acceleration?: number
  /** Polled every 25 ms: the motion ends as soon as it is false. @default () => true */
  enabled?: () => boolean
  /** An abort stops the robot before the motion rejects, with the reason if that is a `RobotError`. */
  signal?: AbortSignal
  /** Called before each motion, from 1, and when the robot has reached its target. */
  onStep?: (number: number, is: 'begun' | 'reached', state: RobotState) => void
}

const pollInterval = 25 // polling interval of the enable signal, milliseconds

/** One motion, which can be failed from outside: its enable is withdrawn at once, and everything that awaits it rejects. */
export class Motion {
  readonly #ending = new AbortController()
  readonly #looking: NodeJS.Timeout
  readonly #unwatch: () => void
  #drive: Drive | undefined
  #hasBegun = false
  #isClear = false

  /** @param turn ends it with its reason @param stopped makes the error of an aborted signal */
  constructor({ enabled = () => true, signal }: MotionOptions, turn: AbortSignal, stopped: () => RobotError) {
    const over = () => this.fail(reasonOf(turn))
    const aborted = () => {
      const reason: unknown = signal?.reason
      this.fail(reason instanceof RobotError ? reason : stopped())
    }
    const watch = (each: AbortSignal | undefined, end: () => void) => {
      if (each?.aborted) end()
      each?.addEventListener('abort', end, { once: true })
    }
    watch(turn, over)
    watch(signal, aborted)
    this.#unwatch = () => {
      turn.removeEventListener('abort', over)
      signal?.removeEventListener('abort', aborted)
    }
    this.#looking = startInterval(() => {
      if (!enabled()) this.fail(robotError({ code: 'ENABLE_LOST', key: 'robot-enable-lost' }))
    }, pollInterval)
  }

  /** Aborted as soon as the motion has failed. */
  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** A connection for it was started. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  get mayMove(): boolean {
    return this.#isClear
  }

  /** Permits sending. @throws the failure of the motion */
  clear(): void {
    this.check()
    this.#isClear = true
  }

  get isDriving(): boolean {
    return this.#drive !== undefined
  }

  /** @throws the failure of the motion */
  check(): void {
    check(this.signal)
  }

  /** The work's result, unless the motion fails first. */
  until<Result>(work: Promise<Result>): Promise<Result> {
    return unlessAborted(this.signal, work)
  }

  /** Resolves when the controller has finished. A drive that starts after the end is ended at once. */
  async drive(begin: () => Promise<Drive>): Promise<void> {
    this.check()
    this.#hasBegun = true
    this.#isClear = false
    const beginning = begin()
    const withdraw = (late?: Drive) => {
      if (this.signal.aborted) late?.withdraw()
    }
    beginning.then(withdraw, () => withdraw())
    this.#drive = await this.until(beginning)
    await this.until(this.#drive.ended)
  }

  fail(error: Error): void {
    this.#drive?.withdraw()
    this.#ending.abort(error)
  }

  end(): void {
    clearInterval(this.#looking)
    this.#unwatch()
    this.#drive?.withdraw()
  }
}

/** Along an axis of the robot's base, metres. */
export type Range = readonly [from: number, to: number]

/** Limits of every motion. Metres. */
export interface MotionLimits {
  /** Metres per second. */
  speed: number
  /** Metres per second squared. */
  acceleration: number
  /** Longest motion. */
  step: number
  /** Largest rotation of one motion, degrees. */
  turn: number
  /** Contains flange and TCP; undefined: anywhere. */
  box?: readonly [Range, Range, Range] | undefined
}

/** @param from current flange pose @throws RobotError LIMIT, INVALID_INPUT */
export function checkMotions(
  from: Pose,
  poses: readonly Pose[],
  { tcpOffset, limits, pace }: { tcpOffset: Pose; limits: MotionLimits; pace: Partial<Pace> },
): void {
  if (poses.length === 0) throw robotError({ code: 'INVALID_INPUT', key: 'robot-no-pose' })
  for (const name of ['speed', 'acceleration'] as const) {
    const value = pace[name]
    const limit = limits[name]
    if (value !== undefined && !(value > 0 && value <= limit))
      throw robotError({
        code: 'LIMIT',
        key: `robot-${name}`,
        values: { is: inMillimetres(value), limit: inMillimetres(limit) },
      })
  }
  let last = from
  for (const [index, pose] of poses.entries()) {
    checkMotion(last, pose, { tcpOffset, limits, number: index + 1 })
    last = pose
  }
}

/** Samples per path: between two of them flange and TCP leave a box by less than a millimetre. */
const parts = 32

/** The TCP follows a straight line while the hand turns evenly. @param number from 1 @throws RobotError LIMIT */
export function checkMotion(
  from: Pose,
  to: Pose,
  { tcpOffset, limits, number = 1 }: { tcpOffset: Pose; limits: MotionLimits; number?: number },
): void {
  const off = differenceOf(from, to)
  if (off.metres > limits.step)
    throw beyond('robot-step', { number, is: inMillimetres(off.metres), limit: inMillimetres(limits.step) })
  if (off.degrees > limits.turn)
    throw beyond('robot-turn', { number, is: Math.ceil(off.degrees), limit: limits.turn })
  const { box } = limits
  if (!box) return
  const tool = inverted(tcpOffset)
  const path = between(composed(from, tcpOffset), composed(to, tcpOffset))
  for (let part = 0; part <= parts; part++) {
    const tcp = path(part / parts)
    const flange = composed(tcp, tool)
    const outside = [flange, tcp].find(({ position }) => !isWithin(position, box))
    if (!outside) continue
    const key = part === 0 ? 'robot-box-now' : 'robot-box'
    throw beyond(key, { number, ...millimetres(outside.position) })
  }
}

/** Interpolates by the share of the path. */
function between(from: Pose, to: Pose): (share: number) => Pose {
  const turn = rotationVectorOf(product(conjugated(from.orientation), to.orientation))
  const mixed = (axis: keyof Vector, share: number) =>
    from.position[axis] + share * (to.position[axis] - from.position[axis])
  return (share) => ({
    position: { x: mixed('x', share), y: mixed('y', share), z: mixed('z', share) },
    orientation: product(
      from.orientation,
      ofRotationVector({ x: share * turn.x, y: share * turn.y, z: share * turn.z }),
    ),
  })
}

export const isWithin = ({ x, y, z }: Vector, box: NonNullable<MotionLimits['box']>): boolean =>
  [x, y, z].every((value, axis) => {
    const [from, to] = box[axis] ?? [Number.NaN, Number.NaN]
    return value >= from && value <= to
  })

const beyond = (
  key: 'robot-step' | 'robot-turn' | 'robot-box' | 'robot-box-now',
  values: Record<string, unknown>,
) => robotError({ code: 'LIMIT', key, values })

const inMillimetres = (metres: number) => Math.round(metres * 1000)

const millimetres = ({ x, y, z }: Vector) => ({
  x: inMillimetres(x),
  y: inMillimetres(y),
  z: inMillimetres(z),
})
