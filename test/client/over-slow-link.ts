import { createRequire } from 'node:module'
import type * as Dns from 'node:dns'
import { connect, type LookupFunction } from 'node:net'
import { createClient, images } from '../../lib'
import { openChannel } from '../../lib/plc/client/channel'
import { openSocket } from '../../lib/universal-robots/connections'
import { startVirtualDevice } from '../../virtual-device'

/** Both ends of a slow link: `far` has a device with pictures and an arm; `near` connects to it by a name. */
const [role = '', host = '', other = '', http = '', picture = '', rtde = ''] = process.argv.slice(2)
const send = (message: object) => process.send?.(message)
const name = 'slow-cell.test'

async function far() {
  const device = await startVirtualDevice({ host, port: 0, imagePort: 0, arm: 'ur5e', armPort: 0 })
  const { images: ofImages, arm } = device.ports
  send({ http: Number(new URL(device.url).port), picture: ofImages?.port, rtde: arm?.parts?.['rtde'] })
}

/** @returns 'connected', or why not */
async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'connected'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code ?? error)
  }
}

async function near() {
  const dns = createRequire(__filename)('node:dns') as { lookup: typeof Dns.lookup }
  const { lookup } = dns
  const addresses = [host, other].map((address) => ({ address, family: 4 }))
  const found: LookupFunction = (asked, options, callback) => {
    if (asked !== name) lookup(asked, options, callback as never)
    else process.nextTick(callback, null, addresses)
  }
  dns.lookup = found as typeof Dns.lookup
  const signal = new AbortController().signal
  const [client, link] = [
    createClient({ address: `http://${name}:${http}` }),
    images.openImages({ host: name, port: Number(picture), device: 'far', wanted: { left: true } }),
  ]
  /** The last address has the time of the system. */
  const byNode = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: name, port: Number(http), lookup: found, timeout: 3000 })
      socket
        .once('connect', resolve)
        .once('error', reject)
        .once('timeout', () => {
          reject(new Error('silent'))
          socket.destroy()
        })
    })
  const ofChannel = { onData: () => undefined, onEnd: () => undefined, timeout: 3000, signal }
  const outcomes = {
    node: await outcomeOf(byNode),
    http: await outcomeOf(() => client.getSystem()),
    images: await outcomeOf(() => link.opened()),
    plc: await outcomeOf(() =>
      openChannel({ transport: 'tcp', host: name, port: Number(http), ...ofChannel }),
    ),
    robot: await outcomeOf(() => openSocket({ host: name, port: Number(rtde) }, signal)),
  }
  send(outcomes)
}

;(role === 'far' ? far() : near()).catch((error: unknown) => send({ error: String(error) }))
