import { awaitedLater, check, orUndefined, Scope } from '../kernel/scope'
import {
  type Drive,
  type DriverEvents,
  isAtRest,
  type Leave,
  type OpenDriver,
  type Pace,
  type RobotDriver,
  type RobotState,
  type StopWays,
} from '../robot-motion'
import { composed, type Pose } from '../robotics'
import { startTimeout } from '../kernel/timers'
import { dashboardRequest, type DashboardCommand, urError } from './connections'
import {
  type EnableRegisters,
  EnableSignal,
  motionScript,
  programName,
  stopScript,
  openPrimary,
  type PrimaryConnection,
  ProgramWatch,
} from './primary'
import { type ControllerVersion, persistentSession } from './rtde'
import { optionalOutputs, outputs, stateOf } from './state'

export interface UniversalRobotOptions {
  host: string
  /** State. @default 30004 */
  rtdePort?: number
  /** Programs. @default 30001 */
  primaryPort?: number
  /** Remote control and stop. @default 29999 */
  dashboardPort?: number
  /** States per second, 1 to 125. @default 125 */
  frequency?: number
  /** If false, the connection is read-only. @default false */
  mayMove?: boolean
  /** First of two integer input registers that no other client may use, 0 to 46. @default 24 */
  register?: number
}

/** Milliseconds after a stop before the dashboard is asked too, if the robot still moves. */
const insistAfter = 500

/** The first software with a choice between local and remote control, and the first without the dashboard. */
const remoteFrom = 5

const noDashboardFrom = 10

const motions = 2 ** 30 // exclusive limit of motion numbers: they are signed, and none is 0

/** RTDE for reading, programs over the primary interface for moving, the dashboard for modes and stops. */
class UniversalRobot implements RobotDriver {
  readonly #options: Required<UniversalRobotOptions>
  readonly #session: ReturnType<typeof persistentSession>
  readonly #registers: EnableRegisters
  readonly #scope = new Scope()
  readonly #enable: EnableSignal
  #state: RobotState | undefined
  #version: ControllerVersion | undefined
  #program: ProgramWatch | undefined
  #primary: PrimaryConnection | undefined
  /** Another process may have left the registers as they were. */
  #motion = 1 + Math.floor(Math.random() * (motions - 1))
  #insisting: NodeJS.Timeout | undefined

  constructor(
    {
      host,
      rtdePort = 30_004,
      primaryPort = 30_001,
      dashboardPort = 29_999,
      frequency = 125,
      mayMove = false,
      register = 24,
    }: UniversalRobotOptions,
    events: DriverEvents,
  ) {
    this.#options = { host, rtdePort, primaryPort, dashboardPort, frequency, mayMove, register }
    this.#registers = { enable: register, motion: register + 1 }
    this.#enable = new EnableSignal(
      this.#registers,
      (values) => this.#session.session?.write(values),
      () => this.#state?.receivedAt,
    )
    const inputs = mayMove ? [register, register + 1].map((each) => `input_int_register_${each}`) : []
    // Newer controllers report what they have received.
    const received = inputs.slice(1)
    this.#session = persistentSession(
      {
        ...{ host, port: rtdePort, frequency, outputs, inputs },
        optional: [...optionalOutputs, ...received],
      },
      {
        onValues: (values) => {
          const [motion] = this.#session.session?.ownsInputs ? received.map((name) => values[name]) : []
          const unaware = this.#enable.isUnaware(typeof motion === 'number' ? motion : undefined)
          this.#state = stateOf(values, { unaware })
          this.#program?.seen(this.#state)
          events.onState(this.#state)
        },
        onUp: ({ version }) => {
          this.#version = version
          // A withdrawal may not have arrived.
          this.#enable.withdraw()
          events.onUp()
        },
        onDown: (error) => {
          events.onDown(error)
          this.#program?.fail(error)
        },
      },
    )
  }

  get version(): string | undefined {
    const { major, minor, bugfix } = this.#version ?? {}
    return major === undefined ? undefined : `${major}.${minor ?? 0}.${bugfix ?? 0}`
  }

  async remoteControl(signal: AbortSignal): Promise<boolean | undefined> {
    const major = this.#version?.major ?? remoteFrom
    if (major < remoteFrom || major >= noDashboardFrom) return undefined
    try {
      const answer = await this.#ask('is in remote control', signal)
      return answer === 'true' ? true : answer === 'false' ? false : undefined
    } catch (error) {
      if (signal.aborted || this.#scope.isAborted) throw error
      // The service can be switched off; a program that does not start shows it.
      return undefined
    }
  }

  async drive(flange: Pose, pace: Pace, { signal, clear }: Leave): Promise<Drive> {
    const { session } = this.#session
    if (!session) throw urError({ code: 'UNREACHABLE', key: 'ur-lost', values: { ...this.#rtde } })
    if (!session.ownsInputs)
      throw urError({
        code: 'REFUSED',
        key: 'ur-registers',
        values: { first: this.#registers.enable, last: this.#registers.motion },
      })
    // It would stop the new motion.
    clearTimeout(this.#insisting)
    this.#motion = (this.#motion % (motions - 1)) + 1
    const number = this.#motion
    const program = (this.#program = new ProgramWatch(programName(number)))
    let primary: PrimaryConnection | undefined
    const end = () => {
      this.#enable.withdraw(number)
      if (this.#program === program) this.#program = undefined
      if (this.#primary === primary) this.#primary = undefined
      primary?.close()
    }
    try {
      primary = this.#primary = await this.#openPrimary(signal, program)
      await clear()
      // Nothing may come between these checks and the sending.
      check(signal)
      const state = this.#state
      if (!state || this.#session.session !== session)
        throw urError({ code: 'UNREACHABLE', key: 'ur-lost', values: { ...this.#rtde } })
      this.#enable.give(number)
      program.sent()
      primary.send(
        motionScript(composed(flange, state.tcpOffset), pace, {
          ...{ number, registers: this.#registers },
          cycle: session.version.major < remoteFrom ? 0.008 : 0.002,
        }),
      )
      const withdraw = () => this.#enable.withdraw(number)
      signal.addEventListener('abort', withdraw, { once: true })
      await program.started.finally(() => signal.removeEventListener('abort', withdraw))
    } catch (error) {
      end()
      throw error
    }
    const ended = awaitedLater(program.ended.finally(end))
    return { ended, withdraw: () => this.#enable.withdraw(number) }
  }

  async brake(): Promise<StopWays> {
    const enable = this.#session.session !== undefined && this.#options.mayMove
    this.#enable.withdraw()
    this.#insist()
    return { enable, command: await this.#command() }
  }

  async close(): Promise<void> {
    clearTimeout(this.#insisting)
    this.#enable.withdraw()
    const ended = this.#scope.close()
    this.#program?.fail(urError({ code: 'ABORTED', key: 'ur-closed' }))
    this.#primary?.close()
    await ended
    await this.#session.close()
  }

  get #rtde() {
    return { host: this.#options.host, port: this.#options.rtdePort }
  }

  get #dashboard() {
    return { host: this.#options.host, port: this.#options.dashboardPort }
  }

  /** @param signal ends the attempt; open connections stay */
  #openPrimary(signal: AbortSignal, program?: ProgramWatch): Promise<PrimaryConnection> {
    const { host, primaryPort: port } = this.#options
    return this.#scope.run((scope) =>
      openPrimary(
        { host, port },
        {
          onMessage: (message) => program?.receive(message),
          onEnd: () => {
            if (program) this.#scope.begin(() => this.#cutOff(program))
          },
        },
        AbortSignal.any([signal, scope.signal]),
      ),
    )
  }

  #ask(command: DashboardCommand, signal: AbortSignal): Promise<string> {
    return this.#scope.run((scope) =>
      dashboardRequest(this.#dashboard, command, AbortSignal.any([signal, scope.signal])),
    )
  }

  /** The connection of a motion was closed. Only the dashboard knows whether an operator has chosen local control. */
  async #cutOff(program: ProgramWatch): Promise<void> {
    if (this.#program !== program) return
    this.#enable.withdraw()
    this.#primary = undefined
    program.cut()
    const remote = await orUndefined(this.remoteControl(this.#scope.signal))
    const { host, primaryPort: port } = this.#options
    program.fail(
      remote === false
        ? urError({ code: 'NOT_REMOTE', key: 'ur-cut' })
        : urError({ code: 'CONNECTION_LOST', key: 'ur-lost', values: { host, port } }),
    )
  }

  /** A program that brakes; if programs are not accepted, the dashboard. @returns whether it was sent */
  async #command(): Promise<boolean> {
    const isStopped = this.#state !== undefined && !['normal', 'reduced'].includes(this.#state.safety)
    if (isStopped) return this.#stopByDashboard()
    try {
      const open = this.#primary
      const primary = open ?? (await this.#openPrimary(this.#scope.signal))
      primary.send(stopScript())
      // The controller discards a program whose connection closes at once.
      if (!open) this.#later(() => primary.close())
      return true
    } catch {
      return this.#stopByDashboard()
    }
  }

  async #stopByDashboard(): Promise<boolean> {
    try {
      return (await this.#ask('stop', this.#scope.signal)) === 'Stopped'
    } catch {
      return false
    }
  }

  #insist(): void {
    clearTimeout(this.#insisting)
    this.#insisting = startTimeout(() => {
      if (this.#state && !isAtRest(this.#state)) this.#scope.begin(() => this.#stopByDashboard())
    }, insistAfter)
  }

  #later(close: () => void): void {
    const timer = startTimeout(end, insistAfter)
    const { signal } = this.#scope
    signal.addEventListener('abort', end, { once: true })
    function end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      close()
    }
  }
}

/** The driver of a Universal Robots arm, for `Robot`. Connects at once, and reconnects until it is closed. */
export const universalRobot =
  (options: UniversalRobotOptions): OpenDriver =>
  (events) =>
    new UniversalRobot(options, events)
