import type { ServiceAnswer } from '../../lib/contract'
import type { Device } from '../device'
import type { RunningModule } from '../running-module'

export function callService(
  device: Device,
  node: RunningModule,
  service: string,
  args: Readonly<Record<string, unknown>> = {},
): ServiceAnswer {
  const answer = node.call(service, args)
  // Most services change something; which, only their module knows.
  device.changed()
  device.note('INFO', `service ${service} called`, node.name)
  return answer
}
