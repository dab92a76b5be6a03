import { deviceApi } from '../../device-api'
import { DeviceProblem } from '../../request'
import { sharedText } from '../../shared-text'
import type { TreeBranch } from '../tree/entry'

/** Seconds. */
const every = 3

/** The data streams of a device and their destinations. */
export const streams = (device: string): TreeBranch => ({
  every,
  load: async () =>
    (await listed(device)).map(({ name, protobuf, description, destinations }) => ({
      key: name,
      label: name,
      about: protobuf,
      value: destinations.length
        ? sharedText('sidebar.sentTo', { destinations: destinations.join(', ') })
        : sharedText('sidebar.sentNowhere'),
      description,
      icon: 'rss',
      nodes: [{ type: 'vision-stream-receive', fields: { device, stream: name, streamType: 'str' } }],
    })),
})

/** Multi devices have none. */
async function listed(device: string) {
  try {
    return await deviceApi(device).read('listStreams', {}, { fresh: true })
  } catch (problem) {
    if (problem instanceof DeviceProblem && problem.code === 'NOT_FOUND') return []
    throw problem
  }
}
