import type { Parameter } from '../../lib/contract'
import { Float64 } from '../../lib/codec/float64'
import type { Device } from '../device/device'
import type { WrittenValue } from '../device/parameter-set'
import type { RunningModule } from '../device/running-module'
import { callService } from './call-service'
import { pipeline, pipelineNode } from './find'
import type { Handlers } from './handler'

export const pipelineNodes = {
  listNodes: (device, input) =>
    [...pipeline(device, input.pipeline).nodes.values()].map((node) => node.info()),
  getNode: (device, input) => pipelineNode(device, input).info(),
  getParameters: (device, { name, ...input }) => {
    const { parameters } = pipelineNode(device, input)
    return (name ?? parameters.names).map((each) => parameters.record(each))
  },
  setParameters: (device, { parameters, ...input }) =>
    write(device, pipelineNode(device, input), parameters, 400),
  getParameter: (device, input) => pipelineNode(device, input).parameters.record(input.param),
  setParameter: (device, { param, value, ...input }) => {
    const [record] = write(device, pipelineNode(device, input), [{ name: param, value }], 404)
    return record as Parameter
  },
  listServices: (device, input) => pipelineNode(device, input).describeServices(),
  getService: (device, input) => pipelineNode(device, input).describeService(input.service),
  callService: (device, { service, args, ...input }) =>
    callService(device, pipelineNode(device, input), service, args),
  getNodeStatus: (device, input) => pipelineNode(device, input).status(device.now()),
} satisfies Partial<Handlers>

function write(
  device: Device,
  node: RunningModule,
  writes: readonly WrittenValue[],
  unknownStatus: 400 | 404,
) {
  const records = node.parameters.write(writes, unknownStatus)
  if (records.length) device.changed()
  for (const { name, value } of records)
    device.note('INFO', `${name} set to ${String(value instanceof Float64 ? value.value : value)}`, node.name)
  return records
}
