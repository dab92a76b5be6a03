import type { Service } from '../../../lib/contract'
import { deviceApi } from '../../device-api'
import type { TreeBranch } from '../tree/entry'
import { flowFields, type DeviceNode } from './device-node'

/** The services of a node. */
export const services = (place: DeviceNode): TreeBranch => ({
  load: async () =>
    (await listed(place)).map(({ name, args, description = '' }) => ({
      key: name,
      label: name,
      about: Object.keys(args ?? {}).join(', '),
      description,
      icon: 'cog',
      nodes: [
        {
          type: 'vision-call-service',
          fields: { ...flowFields(place), service: name, serviceType: 'str' },
        },
      ],
    })),
})

function listed({ device, pipeline, node }: DeviceNode): Promise<Service[]> {
  const api = deviceApi(device)
  return pipeline
    ? api.read('listServices', { pipeline, node }, { fresh: true })
    : api.read('listGlobalServices', { node }, { fresh: true })
}
