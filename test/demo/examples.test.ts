import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import type { FlowNode } from '../support/example'

type WiredNode = FlowNode & { wires?: string[][]; env?: { type: string; value: unknown }[] }

const folder = join(__dirname, '..', '..', '..', 'examples')
const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as WiredNode[]

/** Every text of the German editor. */
const germanTexts = new Set<unknown>(
  [
    ...readdirSync(join(folder, '..', 'nodes'))
      .map((node) => join(folder, '..', 'nodes', node, 'locales', 'de', `${node}.json`))
      .filter((file) => existsSync(file)),
    join(folder, '..', 'nodes', 'shared', 'fields', 'words', 'de.json'),
  ].flatMap((file) => textsIn(JSON.parse(readFileSync(file, 'utf8')))),
)

function textsIn(catalog: unknown): unknown[] {
  return typeof catalog === 'object' && catalog ? Object.values(catalog).flatMap(textsIn) : [catalog]
}

for (const name of names) {
  describe(`the example ${name}`, () => {
    const nodes = read(name)
    const ids = new Set(nodes.map(({ id }) => id))
    const known = (id: unknown, where: string) =>
      should(ids.has(String(id))).equal(true, `${where} → ${String(id)}`)

    it('refers to existing nodes, each with a unique id', () => {
      ids.size.should.equal(nodes.length)
      for (const node of nodes) {
        for (const target of node.wires?.flat() ?? []) known(target, node.id)
        for (const list of [node.links, node.scope, node.nodes]) {
          if (Array.isArray(list)) for (const target of list) known(target, node.id)
        }
        // In the TCP nodes this field has an address or a word.
        const references = [
          'z',
          'g',
          'device',
          'handshake',
          'robots',
          'robot',
          ...(node.type.startsWith('tcp ') ? [] : ['server']),
        ]
        for (const property of references) {
          // In a subflow, its property names the device.
          if (node[property] && node[property] !== '${DEVICE}')
            known(node[property], `${node.id}.${property}`)
        }
        for (const { type, value } of node.env ?? []) if (type === 'conf-type') known(value, node.id)
      }
    })

    it('has no text that equals the id of a configuration node, which Node-RED would take for a reference', () => {
      const configurations = nodes.filter(({ type }) =>
        [
          'vision-device-config',
          'vision-plc-handshake',
          'vision-robot-connection',
          'vision-robot-config',
        ].includes(type),
      )
      // Its type would be one too.
      for (const { id, type } of nodes) should(type).not.equal(id)
      for (const { id } of configurations)
        for (const node of nodes) should(node.name).not.equal(id, `the name of ${node.id}`)
    })

    it('explains in its first comment how to use a real device', () => {
      const tab = nodes.find(({ type }) => type === 'tab')
      const comment = nodes.find(({ type, z }) => type === 'comment' && z === tab?.id)
      should(comment).have.property('name').which.is.not.empty()
      if (nodes.some(({ type, z }) => type === 'vision-virtual-device' && z === tab?.id))
        should(comment)
          .have.property('info')
          .which.match(/For (a real device|real devices): .*address/)
    })

    it('explains it in German too, with the words of the German editor', () => {
      const tab = nodes.find(({ type }) => type === 'tab')
      const info = nodes.find(({ type, z }) => type === 'comment' && z === tab?.id)?.info
      const [english = '', german = ''] = String(info).split('**Deutsch:** ')
      should(german).not.be.empty()
      // The name of the comment is its first paragraph in English.
      should(german.split('\n\n').length).equal(english.split('\n\n').filter(Boolean).length + 1)
      const shown = [...german.matchAll(/\*([^*\n]+)\*/g)].map(([, text = '']) => text)
      // `the robot moves` for the node "the robot moves: 0.1 s"; a node without a name shows its topic.
      const own = nodes.map(({ name, topic }) => String(name || topic))
      const isShown = (text: string) =>
        germanTexts.has(text) || own.some((name) => name === text || name.startsWith(text))
      should(shown.filter((text) => !isShown(text))).eql([])
    })

    it('needs no function node', () => {
      nodes.filter(({ type }) => type === 'function').should.be.empty()
    })
  })
}

/** The ports of dashboard, primary interface and RTDE, from the first. */
const armParts = [0, 2, 5]

describe('the examples', () => {
  it('have separate ports, so that several of them can run at the same time', () => {
    const ports = names.flatMap((name) =>
      read(name)
        .filter(({ type }) => type === 'vision-virtual-device')
        .flatMap(({ port, imagePort, robotPort, armPort }) => [
          ...[port, imagePort, robotPort].map(Number),
          ...armParts.map((distance) => Number(armPort) && Number(armPort) + distance),
        ])
        .filter(Boolean),
    )
    ports.filter((port, index) => ports.indexOf(port) !== index).should.deepEqual([])
  })
})

describe('the comment on the registers', () => {
  it('agrees with the document on the handshake', () => {
    const comment = read('first-acquisition.json').find(({ id }) => id === 'cell-registers')
    const document = readFileSync(join(folder, '..', 'docs', 'plc-handshake.md'), 'utf8')
    should(comment?.info).be.a.String().and.not.be.empty()
    document.should.containEql(comment?.info)
  })
})
