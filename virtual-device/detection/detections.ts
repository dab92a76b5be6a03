import { type Environment, returnCodeShape, type ServiceCall, type ServiceDefinition } from '../module'
import {
  InvalidArgument,
  oneOf,
  rounded,
  timestamp,
  type Timestamp,
  timestampShape,
} from '../services/arguments'
import { answering, type Images, imageSource, ServiceFailure } from './answering'
import { Frames, handEyeOf } from './geometry'

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
