import type { Node, NodeAPI } from 'node-red'
import { nextFreePort, portUse, reach, type PortUse } from './port-use'
import { sentencesOf } from '../../sentences'

const { say } = sentencesOf('virtual-device')

/** Why a virtual device got no port, and which port is free. */
export class PortNotFree extends Error {
  override readonly name = 'PortNotFree'
  readonly code = 'PORT_NOT_FREE'

  constructor(
    message: string,
    readonly freePort: number | undefined,
  ) {
    super(message)
  }
}

interface TakenPort {
  host: string
  port: number
}

/** Determines who uses the port and which one is free; returns the original problem if it cannot. */
export async function portNotFree(
  RED: NodeAPI,
  node: Node,
  { host, port }: TakenPort,
  problem: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if ((problem as { code?: unknown }).code !== 'PORT_NOT_FREE') return problem
  const use = await portUse(host, port, signal)
  if (use.by === 'nobody' || use.by === 'unknown') return problem
  const free = await nextFreePort(host, port, portsOfOthers(RED, node))
  return new PortNotFree(`${holder(use, port)} ${advice(free)}`, free)
}

function holder(use: PortUse, port: number): string {
  if (use.by === 'program') return say('port-of-program', { port })
  const serial = use.by === 'virtualDevice' ? use.serial : undefined
  return serial === undefined
    ? say('port-of-virtual-device', { port })
    : say('port-of-serial', { port, serial })
}

const advice = (free: number | undefined): string =>
  free === undefined ? say('no-free-port', { tried: reach }) : say('free-port', { free })

/** Ports configured in other virtual devices of the flows. */
function portsOfOthers(RED: NodeAPI, { id }: Node): Set<number> {
  const ports = new Set<number>()
  RED.nodes.eachNode((definition) => {
    const { type, id: other, port } = definition as { type: string; id: string; port?: unknown }
    if (type === 'vision-virtual-device' && other !== id) ports.add(Number(port))
  })
  return ports
}
