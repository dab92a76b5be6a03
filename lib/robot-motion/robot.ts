import { differenceOf, missedBy, type Mover } from '../calibration'
import { Queue, type Turn } from '../kernel/queue'
import type { Pose } from '../robotics'
import { checkMotion, checkMotions, type MotionLimits, Motion, type MotionOptions, Waiting } from './motion'
import {
  robotError,
  RobotError,
  isAtRest,
  type Pace,
  type RobotDriver,
  type RobotState,
  type StopWays,
} from './state'
import { fault, faultOf, isFault, type PermitState, Supervision } from './supervision'

export interface RobotSettings {
  mayMove: boolean
  limits: MotionLimits
}

export type RobotLinkState =
  | { is: 'connecting' }
  | { is: 'up'; version: string | undefined }
  | { is: 'down'; error: RobotError }

export interface RobotEvents {
  onState?: (state: RobotState) => void
  onLink?: (link: RobotLinkState) => void
  onPermit?: (permit: PermitState, because?: RobotError) => void
  /** Nothing accepted so far may move the robot any more. */
  onDropped?: (because: RobotError) => void
}

export interface StopReport {
  ways: StopWays
  confirmed: boolean
  sentAfter: number
  stoodAfter?: number
}

const restWithin = 3000 // milliseconds for the states of a robot at rest to arrive

const restStates = 3 // consecutive states without motion that mean rest

const readWithin = 2000 // milliseconds for a state to arrive

export type OpenDriver = (events: {
  onState: (state: RobotState) => void
  onUp: () => void
  onDown: (error: RobotError) => void
}) => RobotDriver

/**
 * A robot that is read and, where permitted, moved: within limits, one motion at a time, each checked by reading. A
 * stop, whatever its reason, ends everything accepted before it. This is no safety function: emergency stop, safeguards
 * and enabling switch remain those of the cell.
 */
export class Robot {
  readonly #settings: RobotSettings
  readonly #events: RobotEvents
  readonly #driver: RobotDriver
  readonly #supervision = new Supervision((permit, because) => {
    if (permit.is === 'latched' && because) this.#drop(because)
    this.#events.onPermit?.(permit, because)
  })
  readonly #orders = new Queue({ room: 0, full: () => robotError({ code: 'BUSY', key: 'robot-busy' }) })
  readonly #states = new Waiting<RobotState>()
  #link: RobotLinkState = { is: 'connecting' }
  #state: RobotState | undefined
  #motion: Motion | undefined
  #fault: RobotError['code'] | undefined // why the robot could not move in its last state
  #stopping = 0
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
    return this.#supervision.permit
  }

  get limits(): MotionLimits {
    return this.#settings.limits
  }

  get mayMove(): boolean {
    return this.#settings.mayMove
  }

  get isBusy(): boolean {
    return this.#motion !== undefined
  }

  /** Ends with each stop, whatever its reason. Check it before anything accepted earlier moves the robot. */
  get turn(): Turn {
    return this.#orders.turn
  }

  /** The next state of the robot. @throws RobotError UNREACHABLE, TIMEOUT, ABORTED */
  async read(signal?: AbortSignal): Promise<RobotState> {
    if (this.#closed) throw closed()
    if (this.#link.is === 'down') throw this.#link.error
    return this.#states.next(readWithin, signal, () =>
      this.#link.is === 'down' ? this.#link.error : robotError({ code: 'TIMEOUT', key: 'robot-silent' }),
    )
  }

  /** The robot accepts motions over the network; undefined if it has no such mode. @throws RobotError */
  async remoteControl(signal: AbortSignal): Promise<boolean | undefined> {
    if (this.#link.is === 'down') throw this.#link.error
    return this.#driver.remoteControl(signal)
  }

  /**
   * An operator confirms that pose, tool and payload match the pendant. @param shown the state that the operator saw
   * @throws RobotError RESET_NEEDED, POSE_CHANGED if the robot has moved since, or has another tool
   */
  async confirmPose(shown: RobotState): Promise<void> {
    this.#supervision.refuseLatched()
    this.#supervision.confirm(shown, await this.read())
  }

  /** An operator clears the latch; the pose must be confirmed again. @throws RobotError if the reason persists */
  async reset(): Promise<void> {
    this.#supervision.reset(await this.read())
  }

  /** After a deploy: an operator must confirm the pose again. */
  forgetConfirmation(): void {
    this.#supervision.forget()
  }

  /** Checks whether the robot could move now, without moving it. @throws RobotError naming the obstacle */
  async ready(signal: AbortSignal): Promise<RobotState> {
    if (!this.#settings.mayMove) throw robotError({ code: 'NOT_ALLOWED', key: 'robot-may-not-move' })
    this.#supervision.refuseLatched()
    const state = await this.read(signal)
    mustBeReady(state)
    if ((await this.#driver.remoteControl(signal)) === false)
      throw robotError({ code: 'NOT_REMOTE', key: 'robot-not-remote' })
    return state
  }

  /** Checks all motions against the limits, from the robot's pose. @throws RobotError LIMIT, INVALID_INPUT */
  check({ flange, tcpOffset }: RobotState, poses: readonly Pose[], pace: Partial<Pace> = {}): void {
    checkMotions(flange, poses, { tcpOffset, limits: this.limits, pace })
  }

  /**
   * Moves the flange along all poses, in straight lines, and resolves when it is at rest at the last one. Each pose
   * reached must match the one sent within 1 mm and 0.2°. @throws RobotError naming why it ended; the robot is then at
   * rest, or was sent a stop
   */
  async moveAlong(poses: readonly Pose[], options: MotionOptions = {}): Promise<RobotState> {
    if (this.#closed) throw closed()
    if (this.#stopping > 0) throw robotError({ code: 'BUSY', key: 'robot-busy' })
    return this.#orders.add((turn) => this.#move(poses, options, turn))
  }

  /** Stops the robot in two ways at once; running and waiting motions end. Never rejects. */
  stop(): Promise<StopReport> {
    const stopped = this.#stop()
    this.#drop(stoppedOnRequest())
    return stopped
  }

  /** Ends motion and connections, and resolves when nothing is left. A moving robot is stopped. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const braked = this.#motion && this.#driver.brake()
    const ended = this.#orders.close(closed())
    this.#events.onDropped?.(closed())
    await braked
    this.#states.fail(closed())
    await this.#driver.close()
    await ended
  }

  async #move(poses: readonly Pose[], options: MotionOptions, turn: Turn): Promise<RobotState> {
    const motion = new Motion(options, turn.signal, () => (this.#closed ? closed() : stoppedOnRequest()))
    this.#motion = motion
    try {
      return await this.#run(motion, poses, options)
    } catch (error) {
      const failure = inOneSentence(error)
      if (motion.hasBegun) await this.#endBadly(failure, turn)
      throw failure
    } finally {
      motion.end()
      this.#motion = undefined
    }
  }

  async #run(motion: Motion, poses: readonly Pose[], options: MotionOptions): Promise<RobotState> {
    const { limits } = this
    const { speed = limits.speed, acceleration = limits.acceleration, onStep } = options
    let state = await motion.until(this.ready(motion.signal))
    this.#supervision.refuseUnconfirmed()
    this.check(state, poses, options)
    for (const [index, pose] of poses.entries()) {
      const number = index + 1
      const check = ({ flange, tcpOffset }: RobotState) =>
        checkMotion(flange, pose, { tcpOffset, limits, number })
      check(state)
      onStep?.(number, 'begun', state)
      const leave = { signal: motion.signal, clear: () => this.#clear(motion, check) }
      await motion.drive(() => this.#driver.drive(pose, { speed, acceleration }, leave))
      state = await motion.until(this.#atRest(restWithin))
      if (missedBy(pose, state.flange)) throw notThere(number, pose, state)
      onStep?.(number, 'reached', state)
    }
    return state
  }

  /** Checks again right before the motion is sent: a slow connection may have taken seconds. */
  async #clear(motion: Motion, check: (state: RobotState) => void): Promise<void> {
    const state = await motion.until(this.read(motion.signal))
    motion.check()
    this.#supervision.refuseLatched()
    this.#supervision.refuseUnconfirmed()
    mustBeReady(state)
    check(state)
    motion.clear()
  }

  /** Nothing accepted so far may move the robot any more. @param turn ends unless it was dropped for another reason */
  #drop(because: RobotError, turn: Turn = this.turn): void {
    if (turn.signal.aborted) return
    this.#orders.drop(because)
    this.#events.onDropped?.(because)
  }

  /** After a motion that failed for any reason: the robot must stop, and nothing follows. */
  async #endBadly(error: unknown, turn: Turn): Promise<void> {
    if (this.#closed) return
    if (isFault(error)) this.#supervision.latch(error)
    this.#drop(error instanceof RobotError ? error : stoppedOnRequest(), turn)
    if (this.#stopping > 0) return
    if (this.#state && this.#link.is === 'up' && isAtRest(this.#state) && this.#state.program === 'stopped')
      return
    await this.#stop()
  }

  /** Never rejects. */
  async #stop(): Promise<StopReport> {
    const began = performance.now()
    this.#stopping++
    try {
      const ways = await this.#driver.brake()
      const sentAfter = Math.round(performance.now() - began)
      try {
        await this.#atRest(restWithin, { afterStop: true })
        return { ways, confirmed: true, sentAfter, stoodAfter: Math.round(performance.now() - began) }
      } catch {
        this.#supervision.latch(fault({ code: 'STOP_UNCONFIRMED', key: 'robot-stop-unconfirmed' }))
        return { ways, confirmed: false, sentAfter }
      }
    } finally {
      this.#stopping--
    }
  }

  /** The first state at rest without a program. @param afterStop ignores states older than the stop */
  async #atRest(within: number, { afterStop = false } = {}): Promise<RobotState> {
    const until = performance.now() + within
    let restingStates = 0
    for (;;) {
      const state = await this.read()
      const isResting = isAtRest(state) && state.program !== 'running' && !(afterStop && state.unaware)
      restingStates = isResting ? restingStates + 1 : 0
      if (restingStates >= restStates) return state
      if (performance.now() > until)
        throw robotError({ code: 'STOP_UNCONFIRMED', key: 'robot-stop-unconfirmed' })
    }
  }

  #see(state: RobotState): void {
    const { turn } = this
    this.#state = state
    const found = this.#supervision.see(state, {
      toMove: (this.#motion?.mayMove ?? false) || this.#stopping > 0,
      toDrive: this.#motion?.isDriving ?? false,
    })
    if (found && (found.code !== this.#fault || this.#motion?.hasBegun)) this.#drop(found, turn)
    this.#fault = found?.code
    this.#states.resolve(state)
    this.#events.onState?.(state)
  }

  #up(): void {
    this.#link = { is: 'up', version: this.#driver.version }
    this.#events.onLink?.(this.#link)
  }

  #down(error: RobotError): void {
    const { turn } = this
    const wasUp = this.#link.is === 'up'
    this.#link = { is: 'down', error }
    if (this.#motion?.hasBegun) this.#supervision.latch(lost(error))
    if (wasUp) this.#drop(this.#motion?.hasBegun ? lost(error) : error, turn)
    this.#states.fail(error)
    this.#events.onLink?.(this.#link)
  }
}

/** @throws RobotError if a robot in this state accepts no motion */
function mustBeReady(state: RobotState): void {
  const found = faultOf(state)
  if (found) throw found
  if (state.program !== 'stopped')
    throw robotError({ code: 'PROGRAM_RUNNING', key: 'robot-program', values: { program: state.program } })
  if (!isAtRest(state)) throw robotError({ code: 'NOT_AT_REST', key: 'robot-not-at-rest' })
}

const lost = ({ message }: RobotError) =>
  fault({ code: 'CONNECTION_LOST', key: 'robot-lost', values: { problem: message } })

/** Which of the robot's connections reports a loss first is a matter of chance. */
const inOneSentence = (error: unknown): unknown =>
  error instanceof RobotError && error.code === 'CONNECTION_LOST' && error.key !== 'robot-lost'
    ? lost(error)
    : error

const closed = () => robotError({ code: 'ABORTED', key: 'robot-closed' })

const stoppedOnRequest = () => robotError({ code: 'STOPPED', key: 'robot-stopped' })

function notThere(number: number, target: Pose, { flange }: RobotState): RobotError {
  const off = differenceOf(target, flange)
  return robotError({
    code: 'NOT_THERE',
    key: 'robot-not-there',
    values: { number, millimetres: (off.metres * 1000).toFixed(1), degrees: off.degrees.toFixed(2) },
  })
}

/**
 * A robot driven by a calibration. The caller confirms the pose and each motion. After a stop, from any sender, this
 * mover moves no more: a continued calibration needs another.
 */
export function moverOf(robot: Robot, options: Omit<MotionOptions, 'signal'> = {}): Mover {
  const { turn } = robot
  return {
    standing: async (signal) => {
      const state = await robot.read(signal)
      return { pose: state.flange, atRest: isAtRest(state) && state.program === 'stopped' }
    },
    moveAlong: async (poses, signal) => {
      turn.check()
      await robot.moveAlong(poses, { ...options, signal })
    },
  }
}
