import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { serveSocket, type RequestHandler, type ServedSocket } from '../../lib/kernel/serve-socket'
import { Value } from '../../lib/typebox'
import type { Device } from '../device/device'
import type { SideService } from '../side-ports/side-ports'
import { handOf } from './hand-of'
import { Arm, type ArmClient } from './control/arm'
import { ArmSettings } from './control/arm-settings'
import { DashboardConnection } from './dashboard/dashboard-connection'
import type { ArmName } from './kinematics/models'
import { PrimaryConnection } from './primary/primary-connection'
import { RtdeConnection } from './rtde/rtde-connection'

/** Ports of a real controller, as distances from the first. */
const offsets = { dashboard: 0, primary: 2, secondary: 3, rtde: 5 } as const
export type ArmPort = keyof typeof offsets
/** Port of the dashboard server of a real controller. */
export const firstArmPort = 29_999

/** A connection of any of the protocols: what `next` returns is for its own `answer`. */
interface Connection extends Partial<ArmClient>, RequestHandler<unknown> {
  close?: () => void
}

/** A simulated robot arm on the ports of its controller, which carries what the device sees. */
export function armService(device: Device, name: ArmName): SideService {
  const arm = new Arm(name, device.clock, settingsOf(device))
  device.hand = handOf(arm)
  const owners = new Map<string, RtdeConnection>()
  const sockets = new Map<Socket, { port: ArmPort; served: ServedSocket }>()
  const ports: Partial<Record<ArmPort, number>> = {}
  const make: Readonly<Record<ArmPort, (socket: Socket) => Connection>> = {
    dashboard: (socket) => new DashboardConnection(socket, arm),
    primary: (socket) => new PrimaryConnection(socket, arm),
    secondary: (socket) => new PrimaryConnection(socket, arm),
    rtde: (socket) => new RtdeConnection(socket, arm, owners),
  }

  const serve = (port: ArmPort, socket: Socket) => {
    if (arm.link === 'cut') {
      socket.resetAndDestroy()
      return
    }
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    arm.advance()
    const connection = make[port](socket)
    const client = 'period' in connection ? (connection as ArmClient) : undefined
    if (client) arm.add(client)
    const served = serveSocket(socket, {
      push: (bytes) => connection.push(bytes),
      next: () => connection.next(),
      answer: (request) => {
        arm.advance()
        return connection.answer(request)
      },
    })
    sockets.set(socket, { port, served })
    if (arm.link === 'frozen') served.hold()
    socket.on('close', () => {
      sockets.delete(socket)
      connection.close?.()
      if (client) arm.remove(client)
    })
  }
  const servers = new Map<ArmPort, Server>(
    (Object.keys(offsets) as ArmPort[]).map((port) => [port, createServer((socket) => serve(port, socket))]),
  )
  const stopFollowing = device.onScenario(() => {
    const before = { remote: arm.isRemote }
    arm.apply(settingsOf(device))
    const turnsLocal = before.remote && !arm.isRemote
    for (const [socket, { port, served }] of sockets) {
      const scripts = port === 'primary' || port === 'secondary'
      if (arm.link === 'cut' || (scripts && turnsLocal)) socket.resetAndDestroy()
      else if (arm.link === 'frozen') served.hold()
      else served.release()
    }
  })

  const closeServers = async () => {
    for (const socket of sockets.keys()) socket.destroy()
    await Promise.all([...servers.values()].map(closed))
  }
  return {
    name: 'arm',
    option: device.options.armPort,
    defaultPort: firstArmPort,
    listen: async (first) => {
      try {
        for (const [port, server] of servers)
          ports[port] = await listening(server, first && first + offsets[port], device.options.host)
      } catch (error) {
        await closeServers()
        throw error
      }
      return ports.dashboard ?? first
    },
    parts: () => ({ ...ports }),
    close: async () => {
      stopFollowing()
      arm.stop()
      await closeServers()
    },
  }
}

const settingsOf = ({ scenario }: Device): ArmSettings => ({ ...Value.Create(ArmSettings), ...scenario.arm })

const listening = (server: Server, port: number, host: string) =>
  new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    if (server.listening) server.close(() => resolve())
    else resolve()
  })
