import { sentence, StartError } from './start-error'

/** Offered on ports of their own. */
type SideServiceName = 'images' | 'robot' | 'arm'

/** `auto` is the default port, or the next free one if that is taken; 0 is any free port; `off` switches it off. */
export type SidePortOption = number | 'auto' | 'off'

/** A service beside the API, not yet listening. */
export interface SideService {
  name: SideServiceName
  option: SidePortOption
  /** First port that `auto` tries. */
  defaultPort: number
  /**
   * Listens, on consecutive ports if the service has several. @param port the first of them; 0 is any free ones
   * @returns the first port; rejects with the error of `listen`, and then listens nowhere
   */
  listen: (port: number) => Promise<number>
  /** All its ports by name, if they are not simply consecutive. */
  parts?: () => Record<string, number>
  /** Closes all ports and connections. Does nothing unless it listens. */
  close: () => Promise<void>
}

/** Where a service beside the API listens. */
export interface SidePort {
  /** The first port if there are several. */
  port: number
  /** The default port, if it was taken. */
  instead_of?: number
  /** All its ports by name, if they are not simply consecutive. */
  parts?: Record<string, number>
}

/** Ports of a device beside its API; a service that is off has none. */
export type SidePorts = Partial<Record<SideServiceName, SidePort>>

export const isSidePortOption = (given: unknown): boolean =>
  given === 'auto' ||
  given === 'off' ||
  (Number.isInteger(given) && (given as number) >= 0 && (given as number) <= 65535)

/** Distance of the ports that `auto` tries: a device's own consecutive ports lie between them. */
const step = 10

const tries = 30 // number of ports that `auto` tries

interface Place {
  host: string
  port: number
}

/** Starts listening, in order. @throws StartError if a port set by hand is not free; none of the services then listens */
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
  // Any free port means that there are many devices.
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

/** For the start message, each beginning with a comma; empty if there are none. */
export const reportedPorts = (ports: SidePorts): string =>
  (Object.keys(ports) as SideServiceName[])
    .map((name) => {
      const { port, instead_of } = ports[name] ?? {}
      const values = { service: sentence(`sidePort.${name}`), port, taken: instead_of }
      return sentence(instead_of === undefined ? 'sidePort.at' : 'sidePort.moved', values)
    })
    .join('')
