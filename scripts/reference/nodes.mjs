// docs/nodes.md: what each node reads from a message and sets in it, and the properties by name.
import { nodeHelp } from './node-help.mjs'
import { code, opening, table } from './page.mjs'

const groups = {
  acquire: 'Acquire',
  configure: 'Configure',
  calibrate: 'Calibrate',
  cell: 'Cell',
  streams: 'Streams, images and logs',
  maintenance: 'Maintenance',
  virtual: 'Without hardware',
  config: 'Configuration nodes',
}

const names = (properties) => [...properties.keys()].map(code).join(', ') || '–'

const nodeTable = (nodes) =>
  table(
    ['Node', 'What it does', 'Reads from `msg`', 'Sets in `msg`'],
    nodes.map(({ type, label, summary, reads, sets }) => [
      `**${label}**<br>${code(`vision-${type}`)}`,
      summary,
      names(reads),
      names(sets),
    ]),
  )

/** The properties of all nodes by name, with the nodes that read and set each. */
function byProperty(nodes) {
  const found = new Map()
  for (const { label, reads, sets } of nodes)
    for (const [direction, properties] of [
      ['readBy', reads],
      ['setBy', sets],
    ])
      for (const [name, types] of properties) {
        const entry = found.get(name) ?? { types: new Set(), readBy: [], setBy: [] }
        found.set(name, entry)
        for (const type of types) entry.types.add(type)
        entry[direction].push(label)
      }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}

const few = (labels, all) =>
  labels.length === all ? 'all nodes with outputs' : labels.map((label) => `*${label}*`).join(', ') || '–'

export function nodesPage() {
  const nodes = nodeHelp()
  const withOutputs = nodes.filter(({ sets }) => sets.size > 0).length
  return `${opening('Nodes and message properties', [
    'Integrators',
    'The node for a task, and the properties that it reads and sets',
    'none',
    'reference',
  ])}
Generated from the nodes' descriptions and help by \`npm run docs\`. The help of a node in the editor explains its properties,
settings and errors in full; [codes.md](codes.md) lists all codes. All other properties of a message are kept.

${Object.entries(groups)
  .map(([group, title]) => `## ${title}\n\n${nodeTable(nodes.filter((node) => node.group === group))}\n`)
  .join('\n')}
## Message properties

${table(
  ['Property', 'Type', 'Read by', 'Set by'],
  byProperty(nodes).map(([name, { types, readBy, setBy }]) => [
    code(name),
    [...types].join(', ') || '–',
    few(readBy, Infinity),
    few(setBy, withOutputs),
  ]),
)}
`
}
