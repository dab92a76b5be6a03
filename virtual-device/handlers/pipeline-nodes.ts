import type { ActivePipeline, Parameter } from '../../lib/contract'
import type { Device } from '../device/device'
import { sensorKinds } from '../options'
import { Refusal, cut, shown } from '../values'
import { callService, globalNode, type Handlers, pipeline, pipelineNode, writeParameters } from './handler'

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

export const globalNodes = {
  listGlobalNodes: ({ global }) => [...global.values()].map((node) => node.info()),
  getGlobalNode: (device, { node }) => globalNode(device, node).info(),
  listGlobalServices: (device, { node }) => globalNode(device, node).describeServices(),
  getGlobalService: (device, { node, service }) => globalNode(device, node).describeService(service),
  callGlobalService: (device, { node, service, args }) =>
    callService(device, globalNode(device, node), service, args),
  getGlobalNodeStatus: (device, { node }) => globalNode(device, node).status(device.now()),
} satisfies Partial<Handlers>

export const pipelines = {
  listPipelines: (device) =>
    Object.fromEntries([...device.pipelines.keys()].map((name) => [name, active(device, name)])),
  getPipeline: (device, input) => active(device, input.pipeline),
  getPipelineConfiguration: (device) => pipelineConfiguration(device),
  getPipelineType: (device, input) => ({ [input.pipeline]: { type: configured(device, input.pipeline) } }),
  setPipelineType: (device, { pipeline: name, type }) => {
    if (device.variant === 'single') pipeline(device, name)
    if (!(sensorKinds as readonly string[]).includes(type))
      throw new Refusal(400, `type: ${shown(type)} must be one of ${sensorKinds.join(', ')}`)
    device.change({ pipelines: { ...device.system.pipelines, [name]: type } })
    device.note('INFO', `pipeline ${name} configured as ${type}`)
    return { type }
  },
  deletePipeline: (device, { pipeline: name }) => {
    configured(device, name)
    const others = Object.entries(device.system.pipelines).filter(([other]) => other !== name)
    device.change({ pipelines: Object.fromEntries(others) })
    device.note('INFO', `pipeline ${name} deleted`)
    return { message: `Pipeline ${name} deleted` }
  },
} satisfies Partial<Handlers>

export const pipelineConfiguration = ({ variant, system, pipelines: running }: Device) => {
  const kinds = Object.entries(system.pipelines)
  return {
    config: Object.fromEntries(kinds.map(([name, type]) => [name, { type }])),
    max_pipelines: variant === 'multi' ? 4 : 1,
    pending_changes:
      kinds.length !== running.size || kinds.some(([name, type]) => running.get(name)?.type !== type),
  }
}

const active = (device: Device, name: string): ActivePipeline => ({
  type: pipeline(device, name).type,
  status: 'running',
})

function configured(device: Device, name: string): string {
  const type = device.system.pipelines[name]
  if (type === undefined) throw new Refusal(400, `pipeline ${name} is not configured`)
  return type
}

export const dataStreams = {
  listStreams: ({ streams }) => streams.list(),
  getStream: ({ streams }, { stream }) => streams.get(stream),
  addDestination: ({ streams }, { stream, destination }) => {
    streams.add(stream, [destination].flat())
    return streams.get(stream)
  },
  removeDestination: ({ streams }, { stream, destination }) => {
    streams.remove(stream, destination === undefined ? undefined : [destination].flat())
    return streams.get(stream)
  },
} satisfies Partial<Handlers>

export const logs = {
  listLogs: (device) => device.logs.infos(),
  getLog: (device, { log: name, format = 'json', limit = 100 }) => {
    const log = format === 'raw' ? device.logs.raw(name) : device.logs.json(name, limit)
    if (log === undefined) throw new Refusal(404, `there is no log ${cut(name, 60)}`)
    return log
  },
} satisfies Partial<Handlers>
