import type { Node, NodeAPI } from 'node-red'
import type { DeployedRobots } from './deployed-robots'

/** The robots of a config node; undefined where it is missing or disabled. */
export function robotsOf(RED: NodeAPI, id: string): DeployedRobots | undefined {
  const node = RED.nodes.getNode(id) as (Node & { robots: DeployedRobots }) | null | undefined
  return node?.type === 'vision-robot-connection' ? node.robots : undefined
}
