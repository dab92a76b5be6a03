import type { Device } from '../device/device'
import type { SideService } from '../side-ports/side-service'
import type { ImageThread } from './image-thread'

/** Of pipeline 0 on every device. */
const defaultImagePort = 50_051

/** Images, meshes and events over gRPC, in a thread of its own: pipeline p is at the port + p. */
export function imageService({ options }: Device, thread: ImageThread): SideService {
  const { host, imagePort, seed, variant } = options
  return {
    name: 'images',
    option: imagePort,
    defaultPort: defaultImagePort,
    listen: (port) => {
      const pipelines = variant === 'multi' ? 4 : 1
      return thread.listen({ do: 'listen', host, port, pipelines, seed })
    },
    close: () => thread.close(),
  }
}
