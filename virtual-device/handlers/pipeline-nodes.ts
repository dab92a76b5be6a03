import type { Parameter } from '../../lib/contract'
import { callService } from './call-service'
import { pipeline, pipelineNode } from './find'
import type { Handlers } from './handler'
import { writeParameters } from './write-parameters'

export const pipelineNodes = {
  listNodes: (device, input) =>
    [...pipeline(device, input.pipeline).nodes.values()].map((node) => node.info()),
  getNode: (device, input) => pipelineNode(device, input).info(),
  getParameters: (device, { name, ...input }) => {
    const { parameters } = pipelineNode(device, input)
    return (name ?? parameters.names).map((each) => parameters.record(each))
  },
  setParameters: (device, { parameters, ...input }) =>
    writeParameters(device, pipelineNode(device, input), parameters, 400),
  getParameter: (device, input) => pipelineNode(device, input).parameters.record(input.param),
  setParameter: (device, { param, value, ...input }) => {
    const [record] = writeParameters(device, pipelineNode(device, input), [{ name: param, value }], 404)
    return record as Parameter
  },
  listServices: (device, input) => pipelineNode(device, input).describeServices(),
  getService: (device, input) => pipelineNode(device, input).describeService(input.service),
  callService: (device, { service, args, ...input }) =>
    callService(device, pipelineNode(device, input), service, args),
  getNodeStatus: (device, input) => pipelineNode(device, input).status(device.now()),
} satisfies Partial<Handlers>
