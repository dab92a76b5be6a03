import {
  returnCode,
  returnCodeShape,
  type Environment,
  type ServiceCall,
  type ServiceDefinition,
} from '../module'
import { recentRate } from './recent-rate'

/** Seconds over which the rate of triggered depth images is measured. */
const window = 10

/**
 * Takes one depth image for each trigger. Answers a trigger at once; the image itself is never sent over this API.
 * @param period seconds from a trigger to the depth image
 */
export function depthTrigger(
  environment: Environment,
  period: (parameters: ServiceCall['parameters']) => number,
) {
  const { variant, clock, scenario, call } = environment
  let pendingUntil = 0
  const triggers = recentRate(environment, window)

  const acquisition_trigger: ServiceDefinition = {
    description: 'Computes depth from the next available images.',
    args: {},
    response: returnCodeShape,
    call: ({ parameters }) => {
      if (parameters.acquisition_mode === 'Continuous')
        return returnCode(-8, 'acquisition_mode is Continuous: triggers work only in the single-frame modes')
      if (!scenario().image_client)
        return returnCode(102, 'trigger ignored: no client receives the depth images')
      if (clock.now() < pendingUntil) return returnCode(101, 'trigger ignored: another trigger is pending')
      pendingUntil = clock.now() + period(parameters)
      triggers.note()
      if (variant === 'multi') call('camera', 'acquisition_trigger')
      return returnCode(0)
    },
  }

  return { services: { acquisition_trigger }, perSecond: triggers.perSecond, last: triggers.last }
}
