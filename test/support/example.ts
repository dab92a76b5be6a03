import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { eventually } from './eventually'
import { freePorts } from './free-ports'
import type { NodeRed, NodeRedOptions } from './node-red'
import { sharedNodeRed } from './shared-node-red'

export type FlowNode = Record<string, unknown> & { id: string; type: string }

const folder = join(__dirname, '..', '..', '..', 'examples')

/** The nodes of an example as shipped in the package. */
export const exampleNodes = (name: string) =>
  JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as FlowNode[]

/** An example that runs in a real Node-RED, with free ports instead of those in the file. */
export interface RunningExample {
  red: NodeRed
  /** The deployed nodes. */
  nodes: FlowNode[]
  /** The port that replaces one in the file. */
  port: (written: number) => number
  /** Presses the button of an inject node. */
  press: (id: string) => Promise<void>
  /** Everything printed since it was deployed, including what the debug nodes of the example receive. */
  output: () => string
  /** Resolves when the text has been printed. */
  prints: (text: RegExp, within?: number) => Promise<void>
  /** Presses the button once and resolves when the text has been printed after it. */
  follows: (button: string, text: RegExp, within?: number) => Promise<void>
  /** Presses the button repeatedly until the text is printed: the virtual device may still be starting. */
  answers: (button: string, text: RegExp) => Promise<void>
}

/**
 * Runs an example before the tests of this block and stops it after them.
 * @param written ports in the file, as `127.0.0.1:<port>` or alone in a string or number, to be replaced by free ones
 * @param change last changes before the deploy, such as a folder for its files
 * @param options of the Node-RED that runs it
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
    // Without a port to replace, nothing matches.
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
  // Its servers and requests must not affect the next one.
  after(() => running && started(running.red, []))

  return () => {
    if (!running) throw new Error(`the example ${name} does not run`)
    return running
  }
}

/** Deploys and waits until everything runs, which is later than Node-RED's answer. @returns the output from then on */
async function started(red: NodeRed, nodes: readonly object[]): Promise<() => string> {
  const before = red.output().length
  await red.deploy(nodes)
  const output = () => red.output().slice(before)
  await eventually(() => void output().should.match(/Updated flows[^]*Started flows/))
  return output
}

/** A virtual device starts in a thread of its own, which takes long on a busy machine. */
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
