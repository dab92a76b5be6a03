/** A virtual device of this Node-RED. */
interface OwnDevice {
  /** Where it listens. */
  host: string
  /** Port of its API. */
  port: number
  /** First port of its images, once it has started; undefined if it has none, or has not started. */
  images: Promise<number | undefined>
}

/** By their nodes. */
const devices = new Map<object, OwnDevice>()

/** Records the device of a node that starts, in place of the one before; without a device, removes it. */
export function noteOwnDevice(node: object, device?: OwnDevice): void {
  if (device) devices.set(node, device)
  else devices.delete(node)
}

/**
 * Port of the images of the virtual device that this Node-RED has at an address; undefined if it has none there. Waits
 * for a device that is starting: its port is known only then.
 */
export async function ownImagePort({ hostname, port }: URL): Promise<number | undefined> {
  const found = [...devices.values()].find(
    (device) => device.port === Number(port) && isSameHost(device.host, hostname),
  )
  return found?.images
}

const all: ReadonlySet<string> = new Set(['0.0.0.0', '::'])
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

function isSameHost(listening: string, asked: string): boolean {
  const [own, other] = [bare(listening), bare(asked)]
  return own === other || (loopback.has(other) && (loopback.has(own) || all.has(own)))
}

/** A URL has an IPv6 address in brackets. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
