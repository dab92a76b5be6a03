import { exampleNodes, type FlowNode } from '../../support/example'
import { eventually } from '../../support/eventually'
import { freePorts } from '../../support/free-ports'
import type { NodeRed } from '../../support/node-red'

/** An example that runs in a Node-RED with Dashboard. */
export interface RunningPanel {
  nodes: FlowNode[]
  /** The port that stands for one in the file. */
  port: (written: number) => number
  /** Presses the button of an inject node. */
  press: (id: string) => Promise<void>
  /** Deploys it again with other fields of its nodes, by id. */
  change: (fields: Readonly<Record<string, object>>) => Promise<void>
}

/**
 * Deploys an example with free ports instead of those in the file.
 * @param fields other fields of its nodes, by id
 * @param further nodes besides
 */
export async function runPanel(
  red: NodeRed,
  name: string,
  written: readonly number[],
  fields: Readonly<Record<string, object>> = {},
  further: readonly FlowNode[] = [],
): Promise<RunningPanel> {
  const free = await freePorts(written.length)
  const port = (wanted: number) => free[written.indexOf(wanted)] ?? wanted
  const text = JSON.stringify(exampleNodes(name)).replace(
    new RegExp(`\\b(${written.join('|')})\\b`, 'g'),
    (number) => String(port(Number(number))),
  )
  let nodes = [...changed(JSON.parse(text) as FlowNode[], fields), ...further]
  const deploy = async () => {
    const before = red.output().length
    await red.deploy(nodes)
    await eventually(
      () =>
        void red
          .output()
          .slice(before)
          .should.match(/Started flows/),
    )
    for (const { type, port: own } of nodes)
      if (type === 'vision-virtual-device') await eventually(() => fetch(`http://127.0.0.1:${String(own)}/`))
  }
  await deploy()
  return {
    nodes,
    port,
    press: async (id) => {
      const { status } = await fetch(`${red.url}/inject/${id}`, { method: 'POST' })
      if (status !== 200) throw new Error(`no inject node ${id}`)
    },
    change: async (more) => {
      nodes = changed(nodes, more)
      await deploy()
    },
  }
}

const changed = (nodes: readonly FlowNode[], fields: Readonly<Record<string, object>>): FlowNode[] =>
  nodes.map((node) => ({ ...node, ...fields[node.id] }))
