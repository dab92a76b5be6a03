import { differenceOf, missedBy } from '../calibration'
import type { Pose } from '../robotics'
import { startInterval } from '../timers/timers'
import type { Drive, RobotDriver, StopWays } from './driver'
import { faultOf, type Fault } from './judge'
import { checkMotion, type MotionLimits } from './limits'
import { MotionPermit, type PermitState } from './permit'
import { RobotError } from './robot-error'
import { robotError } from './sentences'
import { isAtRest, isMoving, type RobotState } from './state'
import { Waiting } from './waiting'

/** What a robot may do. */
export interface RobotSettings {
  /** Nothing moves without it. @default false */
  mayMove: boolean
  limits: MotionLimits
}

/** Whether the robot is connected. */
export type RobotLinkState =
  { is: 'connecting' } | { is: 'up'; version: string | undefined } | { is: 'down'; error: RobotError }

/** What a robot tells. */
export interface RobotEvents {
  onState?: (state: RobotState) => void
  onLink?: (link: RobotLinkState) => void
  onPermit?: (permit: PermitState, because?: RobotError) => void
}

/** How a motion is run. */
export interface MotionOptions {
  /** Metres per second. @default the limit */
  speed?: number
  /** Metres per second squared. @default the limit */
  acceleration?: number
  /** Asked every 25 ms: the motion ends as soon as it is false. @default () => true */
  enabled?: () => boolean
  /** An abort stops the robot before the motion rejects. */
  signal?: AbortSignal
  /** Told before each motion, from 1, and when the robot stands there. */
  onStep?: (number: number, is: 'begun' | 'reached', state: RobotState) => void
}

/** How a stop ended. */
export interface StopReport {
  ways: StopWays
  /** The robot was seen to stand still after the stop was sent. */
  confirmed: boolean
  /** Milliseconds until the stop was sent. */
  sentAfter: number
  /** Milliseconds until the robot stood. */
  stoodAfter?: number
}

/** Milliseconds between two looks at the enable signal. */
const lookEvery = 25
/** Milliseconds within which a robot that stands is seen to stand. */
const restWithin = 3000
/** States in a row without motion, until a robot stands. */
const restStates = 3
/** States in a row with motion, until the robot moves: one may be disturbed. */
const movingStates = 2
/** Milliseconds for a state to come. */
const readWithin = 2000

/** Opens the driver of a make. */
export type OpenDriver = (events: {
  onState: (state: RobotState) => void
  onUp: () => void
  onDown: (error: RobotError) => void
}) => RobotDriver

/**
 * A robot that is read and, where permitted, moved: within limits, one motion at a time, each checked by reading. This is no
 * safety function: emergency stop, safeguards and enabling switch remain those of the cell.
 */
export class Robot {
  readonly #settings: RobotSettings
  readonly #events: RobotEvents
  readonly #driver: RobotDriver
  readonly #permit = new MotionPermit()
  readonly #states = new Waiting<RobotState>()
  #link: RobotLinkState = { is: 'connecting' }
  #state: RobotState | undefined
  /** The pose, tool and payload that a person has confirmed. */
  #confirmed: RobotState | undefined
  #motion: { fail: (error: RobotError) => void; drive?: Drive } | undefined
  #stopping = 0
  #movingFor = 0
  #closed = false

  constructor(open: OpenDriver, settings: RobotSettings, events: RobotEvents = {}) {
    this.#settings = settings
    this.#events = events
    this.#driver = open({
      onState: (state) => this.#see(state),
      onUp: () => this.#up(),
      onDown: (error) => this.#down(error),
    })
  }

  get link(): RobotLinkState {
    return this.#link
  }

  get permit(): PermitState {
    return this.#permit.state
  }

  get limits(): MotionLimits {
    return this.#settings.limits
  }

  get mayMove(): boolean {
    return this.#settings.mayMove
  }

  /** Whether a motion is under way. */
  get isBusy(): boolean {
    return this.#motion !== undefined
  }

  /** The next state that the robot tells. @throws RobotError UNREACHABLE, TIMEOUT, ABORTED */
  async read(signal?: AbortSignal): Promise<RobotState> {
    if (this.#closed) throw closed()
    if (this.#link.is === 'down') throw this.#link.error
    return this.#states.next(readWithin, signal, () =>
      this.#link.is === 'down' ? this.#link.error : robotError({ code: 'TIMEOUT', key: 'robot-silent' }),
    )
  }

  /** Whether the robot takes motions over the network; undefined where it has no such mode. @throws RobotError */
  async remoteControl(signal: AbortSignal): Promise<boolean | undefined> {
    if (this.#link.is === 'down') throw this.#link.error
    return this.#driver.remoteControl(signal)
  }

  /**
   * A person says that pose, tool and payload are those of the pendant.
   * @param shown what the person was shown
   * @throws RobotError RESET_NEEDED, POSE_CHANGED if the robot has moved since, or has another tool
   */
  async confirmPose(shown: RobotState): Promise<void> {
    this.#refuseLatched()
    const now = await this.read()
    const changed = changedSince(shown, now)
    if (changed || missedBy(shown.flange, now.flange))
      throw changed ?? robotError({ code: 'POSE_CHANGED', key: 'robot-pose-changed' })
    this.#confirmed = now
    if (this.#permit.confirm()) this.#tellPermit()
  }

  /** A person says that the reason of the stop is gone. The pose is to be confirmed again. @throws RobotError if it is still there */
  async reset(): Promise<void> {
    const state = await this.read()
    const fault = faultOf(state)
    if (fault) throw fault
    if (!isAtRest(state)) throw robotError({ code: 'NOT_AT_REST', key: 'robot-not-at-rest' })
    if (this.#permit.reset()) this.#tellPermit()
  }

  /** The flow was deployed again: a person has to confirm the pose again. */
  forgetConfirmation(): void {
    this.#permit.forget()
    this.#tellPermit()
  }

  /**
   * Checks whether the robot could move now, without moving it.
   * @returns its state
   * @throws RobotError saying what stands in the way
   */
  async ready(signal: AbortSignal): Promise<RobotState> {
    if (!this.#settings.mayMove) throw robotError({ code: 'NOT_ALLOWED', key: 'robot-may-not-move' })
    this.#refuseLatched()
    const state = await this.read(signal)
    const fault = faultOf(state)
    if (fault) throw fault
    if (state.program !== 'stopped')
      throw robotError({ code: 'PROGRAM_RUNNING', key: 'robot-program', values: { program: state.program } })
    if (!isAtRest(state)) throw robotError({ code: 'NOT_AT_REST', key: 'robot-not-at-rest' })
    if ((await this.#driver.remoteControl(signal)) === false)
      throw robotError({ code: 'NOT_REMOTE', key: 'robot-not-remote' })
    return state
  }

  /** Checks all motions against the limits, from where the robot stands. @throws RobotError LIMIT, INVALID_INPUT */
  check(from: RobotState, poses: readonly Pose[], { speed, acceleration }: MotionOptions = {}): void {
    const { limits } = this.#settings
    if (poses.length === 0) throw robotError({ code: 'INVALID_INPUT', key: 'robot-no-pose' })
    for (const [name, value, limit] of [
      ['speed', speed, limits.speed],
      ['acceleration', acceleration, limits.acceleration],
    ] as const)
      if (value !== undefined && !(value > 0 && value <= limit))
        throw robotError({
          code: 'LIMIT',
          key: `robot-${name}`,
          values: { is: Math.round(value * 1000), limit: Math.round(limit * 1000) },
        })
    let last = from.flange
    for (const [index, pose] of poses.entries()) {
      checkMotion(last, pose, { tcpOffset: from.tcpOffset, limits, number: index + 1 })
      last = pose
    }
  }

  /**
   * Moves the flange along all poses, in straight lines, and resolves when it stands at the last one. Each pose reached is
   * compared with the one sent: 1 mm and 0.2°, otherwise that is the end.
   * @throws RobotError saying why it ended; the robot then stands, or was sent a stop
   */
  async moveAlong(poses: readonly Pose[], options: MotionOptions = {}): Promise<RobotState> {
    if (this.#closed) throw closed()
    if (this.#motion || this.#stopping > 0) throw robotError({ code: 'BUSY', key: 'robot-busy' })
    const { limits } = this.#settings
    const { speed = limits.speed, acceleration = limits.acceleration, enabled = () => true, onStep } = options
    const ending = new AbortController()
    let failed: ((error: RobotError) => void) | undefined
    const failure = new Promise<never>((_resolve, reject) => (failed = reject))
    failure.catch(() => undefined)
    const motion: { fail: (error: RobotError) => void; drive?: Drive } = {
      fail: (error) => {
        motion.drive?.withdraw()
        ending.abort()
        failed?.(error)
      },
    }
    this.#motion = motion
    const stopped = () => motion.fail(this.#closed ? closed() : stoppedOnRequest())
    if (options.signal?.aborted) stopped()
    options.signal?.addEventListener('abort', stopped, { once: true })
    const looking = startInterval(() => {
      if (!enabled()) motion.fail(robotError({ code: 'ENABLE_LOST', key: 'robot-enable-lost' }))
    }, lookEvery)
    let began = false
    try {
      const until = <Result>(work: Promise<Result>) => Promise.race([failure, work])
      let state = await until(this.ready(ending.signal))
      if (this.#permit.state.is !== 'confirmed')
        throw robotError({ code: 'NOT_CONFIRMED', key: 'robot-pose-unconfirmed' })
      this.check(state, poses, options)
      for (const [index, pose] of poses.entries()) {
        checkMotion(state.flange, pose, { tcpOffset: state.tcpOffset, limits, number: index + 1 })
        onStep?.(index + 1, 'begun', state)
        began = true
        const starting = this.#driver.drive(pose, { speed, acceleration })
        // A drive that begins after the end is ended at once.
        starting.then(
          (late) => ending.signal.aborted && late.withdraw(),
          () => undefined,
        )
        motion.drive = await until(starting)
        await until(motion.drive.ended)
        state = await until(this.#atRest(restWithin))
        const missed = missedBy(pose, state.flange)
        if (missed) throw notThere(index + 1, pose, state)
        onStep?.(index + 1, 'reached', state)
      }
      return state
    } catch (error) {
      if (began) await this.#endBadly(error)
      throw error
    } finally {
      clearInterval(looking)
      options.signal?.removeEventListener('abort', stopped)
      motion.drive?.withdraw()
      this.#motion = undefined
    }
  }

  /** Stops the robot by two ways at once; what moves, ends. Never rejects. */
  async stop(): Promise<StopReport> {
    const began = performance.now()
    this.#stopping++
    try {
      const sent = this.#driver.brake()
      this.#motion?.fail(stoppedOnRequest())
      const ways = await sent
      const sentAfter = Math.round(performance.now() - began)
      try {
        await this.#atRest(restWithin)
        return { ways, confirmed: true, sentAfter, stoodAfter: Math.round(performance.now() - began) }
      } catch {
        this.#latch(robotError({ code: 'STOP_UNCONFIRMED', key: 'robot-stop-unconfirmed' }))
        return { ways, confirmed: false, sentAfter }
      }
    } finally {
      this.#stopping--
    }
  }

  /** Ends motion and connections, and resolves when nothing is left. A robot that moves is stopped. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#motion) {
      this.#motion.fail(closed())
      await this.#driver.brake()
    }
    this.#states.fail(closed())
    await this.#driver.close()
  }

  /** A motion that did not end as it should: whatever the reason, the robot is to stand. */
  async #endBadly(error: unknown): Promise<void> {
    if (this.#closed) return
    if (error instanceof RobotError && isLatching(error)) this.#latch(error)
    if (this.#stopping > 0) return
    if (this.#state && this.#link.is === 'up' && isAtRest(this.#state) && this.#state.program === 'stopped')
      return
    await this.stop()
  }

  /** Resolves with the first state of a robot that stands and has no program. */
  async #atRest(within: number): Promise<RobotState> {
    const until = performance.now() + within
    let stood = 0
    for (;;) {
      const state = await this.read()
      stood = isAtRest(state) && state.program !== 'running' ? stood + 1 : 0
      if (stood >= restStates) return state
      if (performance.now() > until)
        throw robotError({ code: 'STOP_UNCONFIRMED', key: 'robot-stop-unconfirmed' })
    }
  }

  #see(state: RobotState): void {
    this.#state = state
    const fault = faultOf(state)
    if (fault) this.#fault(fault)
    else this.#watchMotion(state)
    const changed =
      this.#confirmed && this.#permit.state.is === 'confirmed' && changedSince(this.#confirmed, state)
    if (changed) this.#fault(changed)
    if (this.#motion?.drive && state.program === 'paused')
      this.#fault(robotError({ code: 'WRONG_MODE', key: 'robot-paused' }) as Fault)
    this.#states.resolve(state)
    this.#events.onState?.(state)
  }

  /** A robot that moves while nothing was sent is moved by something else. */
  #watchMotion(state: RobotState): void {
    const expected = this.#motion !== undefined || this.#stopping > 0
    this.#movingFor = !expected && isMoving(state) ? this.#movingFor + 1 : 0
    if (this.#movingFor >= movingStates)
      this.#latch(robotError({ code: 'NOT_AT_REST', key: 'robot-moved-by-others' }))
  }

  #fault(error: Fault): void {
    this.#latch(error)
    this.#motion?.fail(error)
  }

  #latch(error: RobotError): void {
    if (this.#permit.latch(error.code as Fault['code'])) this.#tellPermit(error)
  }

  #up(): void {
    this.#link = { is: 'up', version: this.#driver.version }
    this.#events.onLink?.(this.#link)
  }

  #down(error: RobotError): void {
    const wasMoving = this.#motion?.drive !== undefined
    this.#link = { is: 'down', error }
    if (wasMoving) {
      const lost = robotError({
        code: 'CONNECTION_LOST',
        key: 'robot-lost',
        values: { problem: error.message },
      })
      this.#latch(lost)
      this.#motion?.fail(lost)
    } else this.#motion?.fail(error)
    this.#states.fail(error)
    this.#events.onLink?.(this.#link)
  }

  #refuseLatched(): void {
    const { state } = this.#permit
    if (state.is === 'latched')
      throw robotError({ code: 'RESET_NEEDED', key: 'robot-reset-needed', values: { reason: state.reason } })
  }

  #tellPermit(because?: RobotError): void {
    this.#events.onPermit?.(this.#permit.state, because)
  }
}

/** Ends after which only a person goes on. A stop on request, or an enable signal that ends, was wanted. */
const latching: ReadonlySet<string> = new Set([
  'PROTECTIVE_STOP',
  'EMERGENCY_STOP',
  'SAFETY_STOP',
  'WRONG_MODE',
  'NOT_REMOTE',
  'POSE_CHANGED',
  'CONNECTION_LOST',
  'NOT_THERE',
  'REFUSED',
  'STOP_UNCONFIRMED',
])
const isLatching = ({ code }: RobotError) => latching.has(code)

const closed = () => robotError({ code: 'ABORTED', key: 'robot-closed' })
const stoppedOnRequest = () => robotError({ code: 'STOPPED', key: 'robot-stopped' })

/** Another tool or payload than the confirmed one. */
function changedSince(shown: RobotState, now: RobotState): Fault | undefined {
  const off = differenceOf(shown.tcpOffset, now.tcpOffset)
  const isSame =
    off.metres < 1e-5 &&
    off.degrees < 0.01 &&
    Math.abs((shown.payload?.mass ?? 0) - (now.payload?.mass ?? 0)) < 0.001
  return isSame ? undefined : (robotError({ code: 'POSE_CHANGED', key: 'robot-tool-changed' }) as Fault)
}

function notThere(number: number, wanted: Pose, { flange }: RobotState): RobotError {
  const off = differenceOf(wanted, flange)
  return robotError({
    code: 'NOT_THERE',
    key: 'robot-not-there',
    values: { number, millimetres: (off.metres * 1000).toFixed(1), degrees: off.degrees.toFixed(2) },
  })
}
