/** The simulated arm as a side port of the device: its ports, connections, and true state. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type RequestHandler, type ServedSocket, serveSocket } from '../../lib/kernel/serve-socket'
import { Value } from '../../lib/typebox'
import type { Hand } from '../cell/cell'
import type { Device } from '../device/device'
import type { SideService } from '../side-ports'
import { Arm, type ArmClient } from './arm'
import { DashboardConnection } from './dashboard'
import { type ArmName, linkPoses } from './kinematics'
import { PrimaryConnection, RealtimeConnection } from './primary'
import { RtdeConnection } from './rtde'
import { ArmSettings } from './state'

export function armTruth(arm: Arm): object {
  arm.advance()
  const { controller, name, isRemote, link } = arm
  const { flange, tcp, tool, joints, speeds, tcpSpeed, excursion, motions, moves } = controller.drive
  const { power, safety, runtime, payload, slider, scaling, time, digitalOutputs } = controller
  return {
    ...{ model: name, generation: controller.model.generation, remote: isRemote, link, time },
    ...{
      mode: power.mode,
      safety: safety.mode,
      runtime,
      program: controller.programName ?? null,
      moves,
      motions,
    },
    ...{ joints, joint_speeds: speeds, flange, tcp, tcp_offset: tool, tcp_speed: tcpSpeed },
    ...{ payload, slider, scaling, digital_outputs: digitalOutputs },
    /** Box of the flange's positions since the start. */
    excursion: { least: excursion.least, most: excursion.most },
  }
}

export const handOf = (arm: Arm): Hand => ({
  flange: () => arm.flange(),
  flangeAt: (seconds) => arm.flangeAt(seconds),
  start: arm.flange(),
  links: () => {
    arm.advance()
    const { drive, model } = arm.controller
    return linkPoses(model, drive.joints)
  },
  truth: () => armTruth(arm),
})

const offsets = { dashboard: 0, primary: 2, secondary: 3, realtime: 4, rtde: 5 } as const

export type ArmPort = keyof typeof offsets

/** First port of a real controller: the dashboard server. */
export const firstArmPort = 29_999

interface Connection<Request> extends Partial<ArmClient>, RequestHandler<Request> {
  close?: () => void
}

export function armService(device: Device, name: ArmName): SideService {
  const arm = new Arm(name, device.clock, settingsOf(device))
  device.hand = handOf(arm)
  const owners = new Map<string, RtdeConnection>()
  const sockets = new Map<Socket, { port: ArmPort; connection: ServedSocket }>()
  const ports: Partial<Record<ArmPort, number>> = {}
  const make: Readonly<Record<ArmPort, (socket: Socket) => ServedSocket>> = {
    dashboard: (socket) => served(socket, new DashboardConnection(socket, arm)),
    primary: (socket) => served(socket, new PrimaryConnection(socket, arm)),
    secondary: (socket) => served(socket, new PrimaryConnection(socket, arm)),
    realtime: (socket) => served(socket, new RealtimeConnection(socket, arm)),
    rtde: (socket) => served(socket, new RtdeConnection(socket, arm, owners)),
  }

  const served = <Request>(socket: Socket, connection: Connection<Request>): ServedSocket => {
    const client = 'period' in connection ? (connection as ArmClient) : undefined
    if (client) arm.add(client)
    socket.on('close', () => {
      connection.close?.()
      if (client) arm.remove(client)
    })
    return serveSocket<Request>(socket, {
      push: (bytes) => connection.push(bytes),
      next: () => connection.next(),
      answer: (request) => {
        arm.advance()
        return connection.answer(request)
      },
    })
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
    sockets.set(socket, { port, connection })
    if (arm.link === 'frozen') connection.hold()
    socket.on('close', () => sockets.delete(socket))
  }
  const servers = new Map<ArmPort, Server>(
    (Object.keys(offsets) as ArmPort[]).map((port) => [port, createServer((socket) => serve(port, socket))]),
  )
  const stopFollowing = device.onScenario(() => {
    const before = { remote: arm.isRemote }
    arm.apply(settingsOf(device))
    const turnsLocal = before.remote && !arm.isRemote
    for (const [socket, { port, connection }] of sockets) {
      const scripts = port !== 'dashboard' && port !== 'rtde'
      if (arm.link === 'cut' || (scripts && turnsLocal)) socket.resetAndDestroy()
      else if (arm.link === 'frozen') connection.hold()
      else connection.release()
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
      arm.controller.endProgram()
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
