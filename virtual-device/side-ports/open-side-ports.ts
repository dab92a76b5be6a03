import { sentence } from '../sentences'
import { StartError } from '../start-error'
import type { SidePort, SidePorts, SideService } from './side-service'

/** Distance of the ports that `auto` tries: a device's own consecutive ports lie between them. */
const step = 10
/** Number of ports that `auto` tries. */
const tries = 30

interface Place {
  host: string
  /** Port of the API. */
  port: number
}

/**
 * Lets the services listen, in their order.
 * @throws StartError if a port set by hand is not free; none of the services then listens
 */
export async function openSidePorts(services: readonly SideService[], place: Place): Promise<SidePorts> {
  const ports: SidePorts = {}
  try {
    for (const service of services)
      if (service.option !== 'off') {
        const opens = await opened(service, service.option, place)
        ports[service.name] = { ...opens, ...(service.parts && { parts: service.parts() }) }
      }
  } catch (error) {
    await closeSidePorts(services)
    throw error
  }
  return ports
}

export async function closeSidePorts(services: readonly SideService[]): Promise<void> {
  await Promise.all(services.map(({ close }) => close()))
}

async function opened(
  service: SideService,
  option: number | 'auto',
  { host, port }: Place,
): Promise<SidePort> {
  if (option !== 'auto') return { port: await byHand(service, option, host) }
  // A device on any free port is one of many.
  if (port === 0) return { port: await byHand(service, 0, host) }
  return automatic(service, host)
}

/** A default port that is taken never stops a device. */
async function automatic(service: SideService, host: string): Promise<SidePort> {
  const { defaultPort } = service
  for (let next = defaultPort; next < defaultPort + tries * step; next += step)
    try {
      const port = await service.listen(next)
      return port === defaultPort ? { port } : { port, instead_of: defaultPort }
    } catch (error) {
      if (isOfHost(error)) throw notListening(service, next, host, error)
    }
  return { port: await byHand(service, 0, host), instead_of: defaultPort }
}

async function byHand(service: SideService, port: number, host: string): Promise<number> {
  try {
    return await service.listen(port)
  } catch (error) {
    throw notListening(service, port, host, error)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const hostCodes = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN']
const isOfHost = (error: unknown) => hostCodes.includes(codeOf(error) ?? '')

function notListening({ name }: SideService, port: number, host: string, error: unknown): StartError {
  const service = sentence(`sidePort.${name}`)
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartError('SIDE_PORT_NOT_FREE', 'sidePort.inUse', { service, port, host }, error)
    case 'EACCES':
      return new StartError('SIDE_PORT_NOT_FREE', 'sidePort.forbidden', { service, port }, error)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError('HOST_NOT_HERE', 'listen.notHere', { host }, error)
    default: {
      const reason = (error as Error).message
      return new StartError('HOST_NOT_HERE', 'listen.failed', { host, port, reason }, error)
    }
  }
}
