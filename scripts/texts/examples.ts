import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../test/support/root'

type WiredNode = Record<string, unknown> & {
  id: string
  type: string
  wires?: string[][]
  env?: { type: string; value: unknown }[]
}

const folder = join(root, 'examples')
const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
const examples = names.map((name) => ({
  name,
  nodes: JSON.parse(readFileSync(join(folder, name), 'utf8')) as WiredNode[],
}))

/** Of the German editor. */
const germanTexts = new Set<unknown>(
  [
    ...readdirSync(join(root, 'nodes'))
      .map((node) => join(root, 'nodes', node, 'locales', 'de', `${node}.json`))
      .filter((file) => existsSync(file)),
    join(root, 'nodes', 'shared', 'fields', 'words', 'de.json'),
  ].flatMap((file) => textsIn(JSON.parse(readFileSync(file, 'utf8')))),
)

function textsIn(catalog: unknown): unknown[] {
  return typeof catalog === 'object' && catalog ? Object.values(catalog).flatMap(textsIn) : [catalog]
}

/** Fields that refer to config nodes, tabs and groups. */
const references = ['z', 'g', 'device', 'handshake', 'robots', 'robot', 'server']
const configurations = ['device-config', 'plc-handshake', 'robot-connection', 'robot-config'].map(
  (name) => `vision-${name}`,
)

/** Offsets of dashboard, primary interface and RTDE. */
const armParts = [0, 2, 5]

function referencesOf(node: WiredNode): unknown[] {
  const lists = [node.links, node.scope, node.nodes].filter((list): list is unknown[] => Array.isArray(list))
  const fields = references
    // An address or a word in the TCP nodes.
    .filter((field) => !(field === 'server' && node.type.startsWith('tcp ')))
    .map((field) => node[field])
    // A property of a subflow names the device.
    .filter((value) => value && value !== '${DEVICE}')
  const variables = (node.env ?? []).filter(({ type }) => type === 'conf-type').map(({ value }) => value)
  return [...(node.wires ?? []).flat(), ...lists.flat(), ...fields, ...variables]
}

/** Files of the import menu. */
export const rulesOfExamples = {
  'nodes of an example refer to nodes of it, each with a unique id': () => {
    for (const { name, nodes } of examples) {
      const ids = new Set<unknown>(nodes.map(({ id }) => id))
      assert.equal(ids.size, nodes.length, `${name}: an id is there twice`)
      for (const node of nodes)
        for (const id of referencesOf(node)) assert.ok(ids.has(id), `${name}: ${node.id} → ${String(id)}`)
    }
  },

  'no text of an example equals an id, which Node-RED would take for a reference': () => {
    for (const { name, nodes } of examples)
      for (const { id, type } of nodes) {
        assert.notEqual(type, id, name)
        if (configurations.includes(type))
          for (const node of nodes) assert.notEqual(node.name, id, `${name}: the name of ${node.id}`)
      }
  },

  'the first comment of an example explains how to use a real device, in German too': () => {
    for (const { name, nodes } of examples) {
      const tab = nodes.find(({ type }) => type === 'tab')
      const comment = nodes.find(({ type, z }) => type === 'comment' && z === tab?.id)
      assert.ok(comment?.name, `${name}: no comment`)
      const info = String(comment.info)
      if (nodes.some(({ type, z }) => type === 'vision-virtual-device' && z === tab?.id))
        assert.match(info, /For (a real device|real devices): .*address/, name)
      const [english = '', german = ''] = info.split('**Deutsch:** ')
      // In English, the comment's name is the first paragraph.
      assert.equal(
        german.split('\n\n').length,
        english.split('\n\n').filter(Boolean).length + 1,
        `${name}: other paragraphs in German`,
      )
      // `the robot moves` for "the robot moves: 0.1 s"; nodes without a name show their topic.
      const own = nodes.map((node) => String(node.name || node.topic))
      const shown = [...german.matchAll(/\*([^*\n]+)\*/g)].map(([, text = '']) => text)
      assert.deepEqual(
        shown.filter((text) => !germanTexts.has(text) && !own.some((each) => each.startsWith(text))),
        [],
        `${name}: names that the German editor does not show`,
      )
    }
  },

  'an example needs no function node': () => {
    for (const { name, nodes } of examples) assert.ok(!nodes.some(({ type }) => type === 'function'), name)
  },

  'examples have separate ports, so that several of them can run at the same time': () => {
    const ports = examples.flatMap(({ nodes }) =>
      nodes
        .filter(({ type }) => type === 'vision-virtual-device')
        .flatMap(({ port, imagePort, robotPort, armPort }) => [
          ...[port, imagePort, robotPort].map(Number),
          ...armParts.map((distance) => Number(armPort) && Number(armPort) + distance),
        ])
        .filter(Boolean),
    )
    assert.deepEqual(
      ports.filter((port, index) => ports.indexOf(port) !== index),
      [],
    )
  },

  'the comment on the registers agrees with the page on Modbus TCP': () => {
    const { nodes } = examples.find(({ name }) => name === 'first-acquisition.json') ?? { nodes: [] }
    const info = nodes.find(({ id }) => id === 'cell-registers')?.info
    assert.ok(typeof info === 'string' && info)
    assert.ok(readFileSync(join(root, 'docs', 'plc-modbus-server.md'), 'utf8').includes(info))
  },
}
