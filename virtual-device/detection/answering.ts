import type { Shape } from '../../lib/contract'
import { type Environment, returnCode, type ServiceCall, type ServiceDefinition } from '../module'
import { InvalidArgument, optionalParameter, codeOf, type Remark } from '../services/arguments'

type Fields = Record<string, unknown>

/**
 * A service whose answer always has all its fields and a return code: -1 if `answer` throws an InvalidArgument, the
 * code of a ServiceFailure, otherwise that of the remarks, unless the answer has a code of its own.
 */
export function answering({
  answer,
  ...definition
}: Omit<ServiceDefinition, 'call'> & {
  answer: (call: ServiceCall, remark: (value: number, message: string) => void) => Fields | undefined
}): ServiceDefinition {
  const empty = emptyOf(definition.response) as Fields
  return {
    ...definition,
    call: (call) => {
      const remarks: Remark[] = []
      try {
        const fields = answer(call, (value, message) => remarks.push({ value, message }))
        return { ...empty, ...codeOf(remarks), ...fields }
      } catch (error) {
        return { ...empty, ...failed(error) }
      }
    },
  }
}

function failed(error: unknown): Fields {
  if (error instanceof InvalidArgument) return returnCode(-1, error.message)
  if (error instanceof ServiceFailure) return returnCode(error.returnCode, error.message)
  throw error
}

/** An empty value of that shape, so that an answer has all its fields. */
function emptyOf(shape: Shape): unknown {
  if (Array.isArray(shape)) return []
  if (typeof shape === 'object')
    return Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, emptyOf(field)]))
  if (shape === 'string') return ''
  return shape === 'bool' ? false : 0
}

/** A service fails for a reason other than its arguments; becomes its return code. */
export class ServiceFailure extends Error {
  override name = 'ServiceFailure' as const

  constructor(
    /** Negative. */
    readonly returnCode: number,
    message: string,
  ) {
    super(message)
  }
}

/** A random identifier in the usual notation, version 4. */
export function uuid(random: () => number): string {
  const digits = Array.from({ length: 32 }, (_, index) => {
    const digit = Math.floor(random() * 16)
    if (index === 12) return 4
    return index === 16 ? 8 + (digit % 4) : digit
  })
  const hex = digits.map((digit) => digit.toString(16)).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const response = { accepted: 'bool', current_state: 'string' } as const

/**
 * Whether a detection module is started. Our choice: it stops at once, takes as long to start as the scenario says, and
 * accepts every start and stop except a start in FATAL.
 * @param stopped called when it stops
 */
export function runState(
  { clock, scenario }: Pick<Environment, 'clock' | 'scenario'>,
  { stopped = () => undefined }: { stopped?: () => void } = {},
) {
  let begun: { fatal: boolean; until: number } | undefined

  const state = () => {
    if (!begun || clock.now() < begun.until) return 'IDLE'
    // A clock that is set back later does not undo it.
    begun.until = -Infinity
    return begun.fatal ? 'FATAL' : 'RUNNING'
  }
  const running = () => state() === 'RUNNING'
  const stop = () => {
    if (begun) stopped()
    begun = undefined
    return true
  }
  const start = () => {
    const { module_start: outcome, module_start_seconds: seconds } = scenario()
    if (outcome === 'refused' || state() === 'FATAL') return false
    begun ??= { fatal: outcome === 'fatal', until: clock.now() + seconds }
    return true
  }
  const move = (description: string, act: () => boolean): ServiceDefinition => ({
    description,
    args: {},
    response,
    call: () => ({ accepted: act(), current_state: state() }),
  })

  return {
    state,
    running,
    /** @throws ServiceFailure in any other state */
    assertRunning: () => {
      if (!running()) throw new ServiceFailure(-8, `the module is ${state()}: start it first`)
    },
    services: {
      start: move('Starts the module.', start),
      stop: move('Stops the module.', stop),
    },
    restart: move('Stops the module where it runs, and starts it.', () => stop() && start()),
  }
}

/** The images that a detection uses. */
export interface Images {
  /** Device time, seconds since 1970. */
  time: number
  /** Seconds until they were available. */
  acquisition: number
}

const depthNodes = ['stereomatching', 'time_of_flight', 'structured_light'] as const

/** Bare name of the node that produces the depth images of a pipeline. */
export const depthNodeOf = ({ module }: Environment): string =>
  depthNodes.find((name) => module(name)) ?? depthNodes[0]

/** Nearest and farthest measurable depth, metres. */
export const depthRange = (environment: Environment): readonly [number, number] => {
  const node = depthNodeOf(environment)
  return [Number(environment.parameter(node, 'mindepth')), Number(environment.parameter(node, 'maxdepth'))]
}

/** Takes images of a pipeline for its detection modules. */
export function imageSource(environment: Environment) {
  const { now, parameter, module, stale, call } = environment
  const ofCamera = (name: string) => optionalParameter(environment, 'camera', name)
  /** Seconds since 1970. */
  const last: { depth?: number; camera?: number } = {}

  /** Images taken after the call. @throws ServiceFailure if the sensor provides none */
  const acquire = (depth: boolean): Images => {
    const node = depthNodeOf(environment)
    for (const each of depth ? ['camera', node] : ['camera'])
      if (stale(each)) throw new ServiceFailure(-11, `no images: the node ${each} is not ready`)
    if (ofCamera('acquisition_mode') === 'Trigger') {
      if ((ofCamera('trigger_source') ?? 'Software') !== 'Software')
        throw new ServiceFailure(-4, 'data acquisition timed out: the camera waits for a trigger signal')
      call('camera', 'acquisition_trigger')
    }
    const latency = depth
      ? Number(module(node)?.values?.().latency ?? 0)
      : 1 / Number(parameter('camera', 'fps'))
    const time = now()
    last.camera = time
    if (depth) last.depth = time
    return { time, acquisition: latency }
  }
  /**
   * Existing images: with depth the last ones used by a detection, so that two detections can use the same; otherwise
   * the newest of the camera.
   */
  const reuse = (depth: boolean): Images => {
    const comes = depth
      ? last.depth === undefined && parameter(depthNodeOf(environment), 'acquisition_mode') === 'Continuous'
      : ofCamera('acquisition_mode') !== 'Trigger'
    if (comes) return { ...acquire(depth), acquisition: 0 }
    const time = depth ? last.depth : last.camera
    if (time === undefined) throw new ServiceFailure(-11, 'no images: none were taken yet')
    return { time, acquisition: 0 }
  }
  return { acquire, reuse }
}

/** The services of a global database under a detection module: older names for the same. */
export function twinsOf(
  { global }: Pick<Environment, 'global'>,
  database: string,
): Record<string, ServiceDefinition> {
  const services = Object.entries(global(database)?.services ?? {})
  return Object.fromEntries(
    services.map(([name, service]) => [
      name,
      { ...service, description: `${service.description} Deprecated: use the one of ${database}.` },
    ]),
  )
}
