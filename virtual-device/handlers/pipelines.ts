import type { ActivePipeline } from '../../lib/contract'
import type { Device } from '../device/device'
import { sensorKinds } from '../options'
import { Refusal } from '../refusal'
import { shown } from '../shown'
import { pipeline } from './find'
import type { Handlers } from './handler'

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
