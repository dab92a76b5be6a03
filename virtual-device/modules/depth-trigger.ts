import {
  returnCode,
  returnCodeShape,
  type Environment,
  type ServiceCall,
  type ServiceDefinition,
} from '../module'
import { pictureTriggers } from '../picture-triggers/picture-triggers'
import { recentRate } from './camera'

/** Seconds over which the rate of triggered depth images is measured. */
const window = 10

type Seconds = (parameters: ServiceCall['parameters']) => number

interface DepthTiming {
  /** From a trigger to the depth image. */
  ready: Seconds
  /** From a trigger until its pictures are taken. @default as `ready` */
  taken?: Seconds
  /** Between two depth images that nobody triggers. */
  period: () => number
}

/**
 * Takes one depth image for each trigger. Answers a trigger at once; the image itself is never sent over this API, but
 * by the image stream.
 */
export function depthTrigger(environment: Environment, { ready, taken = ready, period }: DepthTiming) {
  const { variant, clock, scenario, call } = environment
  const pictures = environment.ofPipeline(pictureTriggers)
  pictures.depthPeriod = period
  let pendingUntil = 0
  const triggers = recentRate(environment, window)

  const acquisition_trigger: ServiceDefinition = {
    description: 'Computes depth from the next available images.',
    args: {},
    response: returnCodeShape,
    call: ({ parameters }) => {
      if (parameters.acquisition_mode === 'Continuous')
        return returnCode(-8, 'acquisition_mode is Continuous: triggers work only in the single-frame modes')
      if (!scenario().image_client && pictures.depthClients === 0)
        return returnCode(102, 'trigger ignored: no client receives the depth images')
      if (clock.now() < pendingUntil) return returnCode(101, 'trigger ignored: another trigger is pending')
      const now = clock.now()
      pendingUntil = now + ready(parameters)
      pictures.add({
        of: 'depth',
        taken: Math.min(now + taken(parameters), pendingUntil),
        ready: pendingUntil,
      })
      triggers.note()
      if (variant === 'multi') call('camera', 'acquisition_trigger')
      return returnCode(0)
    },
  }

  return { services: { acquisition_trigger }, perSecond: triggers.perSecond, last: triggers.last }
}
