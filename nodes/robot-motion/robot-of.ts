import type { Node, NodeAPI } from 'node-red'
import type { DeployedRobot } from './deployed-robot'

/** The robot of a config node; undefined where it is missing or disabled. */
export function robotOf(RED: NodeAPI, id: string): DeployedRobot | undefined {
  const node = RED.nodes.getNode(id) as (Node & { robot: DeployedRobot }) | null | undefined
  return node?.type === 'vision-robot-config' ? node.robot : undefined
}
