import type { ServiceAnswer } from '../../lib/contract'
import type { Device } from '../device/device'
import type { RunningModule } from '../device/running-module'

export function callService(
  device: Device,
  node: RunningModule,
  service: string,
  args: Readonly<Record<string, unknown>> = {},
): ServiceAnswer {
  const { values } = node.parameters
  const answer = node.call(service, args)
  // A module itself reports changes of what it stores besides its parameters.
  if (node.parameters.values !== values) device.changed()
  device.note('INFO', `service ${service} called`, node.name)
  return answer
}
