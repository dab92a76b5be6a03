import type { NodeAPI } from 'node-red'
import type { LinkCounts, RobotSnapshot } from '../../lib/robots'
import { answering, oncePerServer } from '../shared/admin'
import { meaningOf } from './codes'
import { robotsOf } from './deployed-robots'

/** A robot as the sidebar shows it; times in milliseconds since 1970. */
interface RobotState {
  address: string
  since: number
  /** Without a code while it is open. */
  last?: { command: string; at: number; code?: number; meaning?: string; milliseconds?: number }
}

/** What this Node-RED knows of a robot connection. */
export interface RobotConnectionState {
  /** Missing while no robot can connect. */
  port?: number
  robots: RobotState[]
  counts: Readonly<LinkCounts>
}

export type RobotStates = Record<string, RobotConnectionState>

/** All running robot connections, by the ids of their nodes. */
function robotStates(RED: NodeAPI): RobotStates {
  const states: RobotStates = {}
  RED.nodes.eachNode(({ id, type }) => {
    const deployed = type === 'vision-robot-connection' ? robotsOf(RED, id) : undefined
    if (!deployed) return
    const { port, robots, counts } = deployed.snapshot
    const stated = robots.map((robot) => stateOf(robot, deployed.isBinary))
    states[id] = { ...(port !== undefined && { port }), robots: stated, counts }
  })
  return states
}

function stateOf({ address, since, last }: RobotSnapshot, isBinary: boolean): RobotState {
  if (!last) return { address, since: since.getTime() }
  const { command, at, code, milliseconds } = last
  return {
    address,
    since: since.getTime(),
    last: {
      command,
      at: at.getTime(),
      ...(code !== undefined && { code, meaning: meaningOf(code, isBinary) }),
      ...(milliseconds !== undefined && { milliseconds: Math.round(milliseconds) }),
    },
  }
}

/** The route by which the sidebar shows robots; it needs the permission `vision.read`. */
export const robotRoutes = oncePerServer((RED) =>
  RED.httpAdmin.get(
    '/vision-devices/robots',
    RED.auth.needsPermission('vision.read'),
    answering(() => Promise.resolve(robotStates(RED))),
  ),
)
