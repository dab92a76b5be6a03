import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { eventually } from './eventually'
import { freePorts } from './free-ports'
import type { NodeRed, NodeRedOptions } from './node-red'
import { sharedNodeRed } from './shared-node-red'

export type FlowNode = Record<string, unknown> & { id: string; type: string }

const folder = join(__dirname, '..', '..', '..', 'examples')

/** As shipped. */
export const exampleNodes = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as FlowNode[]

/** In a real Node-RED, on free ports. */
export interface RunningExample {
  red: NodeRed
  nodes: FlowNode[]
  /** Replaces one in the file. */
  port: (written: number) => number
  press: (id: string) => Promise<void>
  /** Since the deploy, debug nodes included. */
  output: () => string
  prints: (text: RegExp, within?: number) => Promise<void>
  /** Presses once, then waits for the text. */
  follows: (button: string, text: RegExp, within?: number) => Promise<void>
  /** Presses repeatedly: the virtual device may still be starting. */
  answers: (button: string, text: RegExp) => Promise<void>
}

/**
 * For the tests of this block.
 * @param written ports in the file (`127.0.0.1:<port>`, or alone in a string or number), replaced by free ones
 * @param change last changes before the deploy
 */
export function useExample(
  name: string,
  written: readonly number[],
  change: (nodes: FlowNode[]) => FlowNode[] = (nodes) => nodes,
  options: NodeRedOptions = {},
): () => RunningExample {
  let running: RunningExample | undefined

  before(async () => {
    const free = await freePorts(written.length)
    const port = (wanted: number) => free[written.indexOf(wanted)] ?? wanted
    // Without ports, nothing matches.
    const anyOfThem = new RegExp(`\\b(${written.join('|') || '(?!)'})\\b`, 'g')
    const text = JSON.stringify(exampleNodes(name)).replace(anyOfThem, (number) =>
      String(port(Number(number))),
    )
    const nodes = change(JSON.parse(text) as FlowNode[])
    for (const node of nodes) if (node.type === 'debug') Object.assign(node, { console: true, active: true })
    const red = await sharedNodeRed(options)
    const output = await started(red, nodes)
    await Promise.all(nodes.filter(({ type }) => type === 'vision-virtual-device').map(listening))
    running = { red, nodes, port, ...acts(red, output) }
  })
  // Its servers and requests must not affect the next example.
  after(() => running && started(running.red, []))

  return () => {
    if (!running) throw new Error(`the example ${name} does not run`)
    return running
  }
}

/** Node-RED answers before everything runs. @returns the output from then on */
async function started(red: NodeRed, nodes: readonly object[]): Promise<() => string> {
  const before = red.output().length
  await red.deploy(nodes)
  const output = () => red.output().slice(before)
  await eventually(() => void output().should.match(/Updated flows[^]*Started flows/))
  return output
}

/** A virtual device starts in a thread, slowly on a busy machine. */
const listening = ({ port }: FlowNode) => eventually(() => fetch(`http://127.0.0.1:${String(port)}/`))

function acts(red: NodeRed, output: () => string) {
  const press = async (id: string) => {
    const { status } = await fetch(`${red.url}/inject/${id}`, { method: 'POST' })
    if (status !== 200) throw new Error(`no inject node ${id}`)
  }
  const prints = (text: RegExp, within?: number) => eventually(() => void output().should.match(text), within)
  const follows = async (button: string, text: RegExp, within?: number) => {
    const before = output().length
    await press(button)
    await eventually(() => void output().slice(before).should.match(text), within)
  }
  const answers = (button: string, text: RegExp) =>
    eventually(async () => {
      const before = output().length
      await press(button)
      await eventually(() => output().slice(before).should.match(text), 10_000)
    })
  return { press, prints, follows, answers, output }
}
