import { readingKinds, type Command, type CommandKind } from '../messages'
import type { AgentCode, Ending, AgentOptions } from './agent'
import type { Job } from './journal'

/** What commands may do in a cell, besides reading. */
export interface Rights {
  /** Kinds that are allowed as a whole. */
  kinds: ReadonlySet<CommandKind>
  /** Services that may be called, `dev_camera/acquisition_trigger`. */
  services: readonly string[]
  /** Flows that may be run. */
  flows: readonly string[]
}

/** The service that a command calls, `node/service`. */
export const serviceOf = ({ args }: Command): string => `${textOf(args['node'])}/${textOf(args['service'])}`

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Whether a cell allows a command. To end what was allowed to begin is allowed too. */
function isAllowed(command: Command, { kinds, services, flows }: Rights): boolean {
  switch (command.do) {
    case 'call-service':
      return services.includes(serviceOf(command))
    case 'run-flow':
      return flows.includes(textOf(command.args['flow']))
    case 'abort':
      return true
    default:
      return readingKinds.has(command.do) || kinds.has(command.do)
  }
}

/** The rights as the state of a cell lists them. */
export const rightsAsTexts = ({ kinds, services }: Rights): string[] => [
  ...readingKinds,
  ...kinds,
  ...services.map((service) => `call-service ${service}`),
]

/** Running commands, at most. */
const mostOpen = 100

/** Why a command is refused, or how one ended that a stop has interrupted. */
export type Reason = Pick<Ending, 'code' | 'text'>

/** Decides which commands are refused, and why. */
export class CommandPolicy {
  readonly #options: Pick<AgentOptions, 'rights' | 'clock' | 'now' | 'say'>

  constructor(options: Pick<AgentOptions, 'rights' | 'clock' | 'now' | 'say'>) {
    this.#options = options
  }

  /** ISO 8601, by the clock of the cell. */
  get time(): string {
    return new Date(this.#clock()).toISOString()
  }

  /** Milliseconds of a monotonic clock. */
  get now(): number {
    return (this.#options.now ?? (() => performance.now()))()
  }

  reason(
    code: AgentCode | 'INVALID_INPUT' | 'BUSY' | 'NOT_FOUND' | 'REFUSED',
    key: Parameters<AgentOptions['say']>[0],
    values: Record<string, unknown> = {},
  ): Reason {
    return { code, text: this.#options.say(key, values) }
  }

  /** Why a command is refused; undefined if it is accepted. @param open the running commands */
  refusal(command: Command, open: readonly Command[]): Reason | undefined {
    const { do: kind, device, notAfter } = command
    if (notAfter !== undefined && Number.isNaN(Date.parse(notAfter)))
      return this.reason('INVALID_INPUT', 'fleet-field', { field: 'notAfter' })
    const late = this.late(command)
    if (late) return late
    if (!isAllowed(command, this.#options.rights))
      return this.reason('NOT_ALLOWED', 'fleet-not-allowed', { kind })
    if (open.length >= mostOpen) return this.reason('BUSY', 'fleet-busy', { count: mostOpen })
    const isUpdating = open.some((other) => other.do === 'update-firmware' && other.device === device)
    return isUpdating && !readingKinds.has(kind) && kind !== 'abort'
      ? this.reason('BUSY', 'fleet-updating', { device: device ?? '' })
      : undefined
  }

  late({ notAfter }: Command): Reason | undefined {
    return notAfter !== undefined && this.#clock() > Date.parse(notAfter)
      ? this.reason('EXPIRED', 'fleet-expired', { latest: notAfter, time: this.time })
      : undefined
  }

  /** The ending of a command that the previous start left open. */
  endingAfterRestart({ phase, command }: Job): Ending {
    if (phase === 'accepted') return { state: 'refused', ...this.reason('RESTARTED', 'fleet-restarted') }
    return readingKinds.has(command.do) || command.do === 'backup'
      ? { state: 'failed', ...this.reason('INTERRUPTED', 'fleet-reading-interrupted') }
      : { state: 'unknown', ...this.reason('INTERRUPTED', 'fleet-interrupted') }
  }

  #clock(): number {
    return (this.#options.clock ?? Date.now)()
  }
}
