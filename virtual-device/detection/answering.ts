/** Answers of the detection modules: what was detected, with poses in the frame that was asked for. */
import {
  type Environment,
  returnCodeShape,
  type ServiceCall,
  type ServiceDefinition,
  returnCode,
} from '../module'
import {
  InvalidArgument,
  oneOf,
  rounded,
  timestamp,
  type Timestamp,
  timestampShape,
  optionalParameter,
  codeOf,
  type Remark,
} from '../arguments'
import { Frames, handEyeOf } from './geometry'
import type { Shape } from '../../lib/contract'

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
interface Images {
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

/** One call of a detection service. */
export interface Detection extends ServiceCall {
  frames: Frames
  /** Takes the images, once, at the time of the call. */
  look: () => Images & { timestamp: Timestamp }
  /** Reports a finished step whose duration is a status value. */
  took: (step: string) => void
  /** Adds a remark to the answer. */
  remark: (value: number, message: string) => void
}

type DetectionService = Omit<ServiceDefinition, 'call'> & {
  /** Used if the caller names none. @default none, it is required */
  frame?: 'camera'
  /** Whether existing images may be used. @default if data_acquisition_mode is USE_LAST */
  reuses?: (call: ServiceCall) => boolean
  detect: (detection: Detection) => Record<string, unknown>
}

/** Number of detections that can be dumped. */
const remembered = 100

/**
 * The detection services of a module, and the status values with their durations.
 * @param durations status values with the usual seconds of their steps, `processing_time` for the rest
 * @param depth whether it uses depth images, or camera images only
 */
export function detections(
  environment: Environment,
  { durations, depth = true }: { durations: Readonly<Record<string, number>>; depth?: boolean },
) {
  const { variant, random, ofPipeline } = environment
  const source = ofPipeline(imageSource)
  const values: Record<string, number> = {
    data_acquisition_time: 0,
    last_timestamp_processed: 0,
    ...Object.fromEntries(Object.keys(durations).map((step) => [step, 0])),
  }
  let stamps: Timestamp[] = []
  const duration = (step: string) => rounded((durations[step] ?? 0) * (0.9 + 0.2 * random()))

  const service = ({
    detect,
    frame,
    reuses = ({ args }) => acquisitionMode(args.data_acquisition_mode) === 'USE_LAST',
    ...definition
  }: DetectionService): ServiceDefinition =>
    answering({
      ...definition,
      answer: (call, remark) => {
        const pose_frame = call.args.pose_frame === undefined ? frame : call.args.pose_frame
        const frames = new Frames({ ...call.args, pose_frame } as object, handEyeOf(environment))
        const old = reuses(call)
        let images: ReturnType<Detection['look']> | undefined
        let seconds = duration('processing_time')
        const look = () => {
          if (images) return images
          const taken = old ? source.reuse(depth) : source.acquire(depth)
          return (images = { ...taken, timestamp: timestamp(taken.time) })
        }
        const took = (step: string) => {
          values[step] = duration(step)
          seconds += values[step]
        }
        const fields = detect({ ...call, frames, look, took, remark })
        if (frames.robotPoseIsSuperfluous) remark(300, 'robot_pose was given, but is not needed')
        const { time, acquisition, timestamp: stamp } = look()
        values.data_acquisition_time = rounded(acquisition)
        values.last_timestamp_processed = time
        if ('processing_time' in durations) values.processing_time = rounded(seconds)
        stamps = [...stamps, stamp].slice(-remembered)
        return { ...fields, timestamp: stamp }
      },
    })

  const trigger_dump = answering({
    description: 'Writes what one detection saw to a USB drive. There is none here, and nothing is written.',
    args: { comment: 'string', timestamp: timestampShape },
    response: returnCodeShape,
    answer: ({ args }) => {
      if (stamps.length === 0) throw new ServiceFailure(-8, 'there has been no detection yet')
      const { sec = 0, nsec = 0 } = (args.timestamp ?? {}) as Partial<Timestamp>
      const latest = sec === 0 && nsec === 0
      if (!latest && !stamps.some((each) => each.sec === sec && each.nsec === nsec))
        throw new InvalidArgument('timestamp: there is no detection with this timestamp')
      return undefined
    },
  })

  const services: Record<string, ServiceDefinition> = variant === 'multi' ? { trigger_dump } : {}
  return {
    service,
    /** The services of every detection module of the variant. */
    services,
    values: () => values,
  }
}

/** Empty means the default. */
const acquisitionMode = (given: unknown) =>
  oneOf((given as string | undefined) || 'CAPTURE_NEW', ['CAPTURE_NEW', 'USE_LAST'], 'data_acquisition_mode')
