/** What a device offers beside its API, on ports of its own. */
export type SideServiceName = 'images' | 'robot' | 'arm'

/** `auto` is the default port, or the next free one if that is taken; 0 is any free port; `off` switches it off. */
export type SidePortOption = number | 'auto' | 'off'

/** A service beside the API, not yet listening. */
export interface SideService {
  name: SideServiceName
  option: SidePortOption
  /** First port that `auto` tries. */
  defaultPort: number
  /**
   * Listens, on consecutive ports if the service has several.
   * @param port the first of them; 0 is any free ones
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
