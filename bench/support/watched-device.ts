import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { deviceProgram, takeSingleFrames } from './device-program'

/** A virtual device in a process, behind a relay that times the calls. */
export interface WatchedDevice {
  url: string
  /** Without the relay. */
  direct: string
  /** First call since the reset, by `performance.now()`. */
  first: number | undefined
  /** Time of the device for all calls since the reset, ms. */
  elapsed: number
  reset: () => void
  stop: () => Promise<void>
}

/** Of the acquisition, without health checks. */
const isCall = (chunk: Buffer) => chunk.includes('/nodes/dev_')

export async function watchedDevice(): Promise<WatchedDevice> {
  const program = await deviceProgram()
  await takeSingleFrames(program.url)
  const port = Number(new URL(program.url).port)
  const sockets = new Set<Socket>()
  const relay = createServer({ noDelay: true }, (cell) => {
    const device = connect({ host: '127.0.0.1', port, noDelay: true })
    let askedAt: number | undefined
    for (const [from, to] of [
      [cell, device],
      [device, cell],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    cell.on('data', (chunk) => {
      if (isCall(chunk)) {
        askedAt = performance.now()
        watched.first ??= askedAt
      }
      device.write(chunk)
    })
    device.on('data', (chunk) => {
      cell.write(chunk)
      if (askedAt !== undefined) watched.elapsed += performance.now() - askedAt
      askedAt = undefined
    })
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')

  const watched: WatchedDevice = {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    direct: program.url,
    first: undefined,
    elapsed: 0,
    reset: () => {
      watched.first = undefined
      watched.elapsed = 0
    },
    stop: async () => {
      const closed = once(relay, 'close')
      relay.close()
      for (const socket of sockets) socket.destroy()
      await closed
      await program.stop()
    },
  }
  return watched
}
