import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { Device } from '../device/device'
import type { SideService } from '../side-ports/side-service'
import { serveRobot } from '../../lib/robot-interface'
import { RobotInterface } from './robot-interface'

/** Port of the robot interface of a device. */
export const robotInterfacePort = 7100

/** The robot interface of a device, on a port of its own. */
export function robotService(device: Device): SideService {
  const robots = new RobotInterface(device)
  const sockets = new Set<Socket>()
  // A robot that has sent its last request still gets the answer.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (robots.isGone) {
      socket.resetAndDestroy()
      return
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveRobot(socket, robots)
  })

  return {
    name: 'robot',
    option: device.options.robotPort,
    defaultPort: robotInterfacePort,
    listen: (port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host: device.options.host }, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        if (server.listening) server.close(() => resolve())
        else resolve()
      }),
  }
}
