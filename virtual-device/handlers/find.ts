import type { Device } from '../device/device'
import type { Pipeline } from '../device/device-nodes'
import type { Nodes } from '../device/nodes'
import { Refusal } from '../refusal'
import type { RunningModule } from '../device/running-module'
import { cut } from '../shown'

export const globalNode = (device: Device, name: string): RunningModule => node(device.global, name)

/** @param absent status if the pipeline is not configured */
export function pipeline(device: Device, name: string, absent: 400 | 404 = 400): Pipeline {
  const found = device.pipelines.get(name)
  if (found) return found
  if (device.variant === 'single') throw new Refusal(400, `pipeline ${name}: this device has only pipeline 0`)
  throw new Refusal(absent, `pipeline ${name} is not configured`)
}

export const pipelineNode = (
  device: Device,
  { pipeline: place, node: name }: { pipeline: string; node: string },
) => node(pipeline(device, place, 404).nodes, name)

function node(nodes: Nodes, name: string): RunningModule {
  const found = nodes.get(name)
  if (found) return found
  throw new Refusal(404, `there is no node ${cut(name, 60)}`)
}
