import { deviceApi } from '../../device-api'
import type { TreeBranch } from '../tree/entry'
import { flowFields, type DeviceNode } from './device-node'

/** Seconds between two updates of the values. */
const every = 1

/** The status values of a running node. */
export const statusValues = (place: DeviceNode): TreeBranch => ({
  every,
  load: async () => {
    const { device, pipeline, node } = place
    const api = deviceApi(device)
    const { values } = pipeline
      ? await api.read('getNodeStatus', { pipeline, node }, { fresh: true })
      : await api.read('getGlobalNodeStatus', { node }, { fresh: true })
    return Object.entries(values).map(([name, value]) => ({
      key: name,
      label: name,
      value,
      icon: 'tachometer',
      nodes: [
        {
          type: 'vision-get-status',
          fields: { ...flowFields(place), what: 'node', which: 'one', value: name, valueType: 'str' },
        },
      ],
    }))
  },
})
