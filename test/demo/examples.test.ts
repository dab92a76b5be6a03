import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { startDemo, type Demo } from '../support/demo'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'

type FlowNode = Record<string, unknown> & { id: string; type: string; z?: string; wires?: string[][] }

const folder = join(__dirname, '..', '..', '..', 'examples')
const names = readdirSync(folder).filter((file) => file.endsWith('.json'))
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as FlowNode[]

for (const name of names) {
  describe(`the example ${name}`, () => {
    const nodes = read(name)
    const ids = new Set(nodes.map(({ id }) => id))
    const known = (id: unknown, where: string) =>
      should(ids.has(String(id))).equal(true, `${where} → ${String(id)}`)

    it('refers to nodes that are there, each once', () => {
      ids.size.should.equal(nodes.length)
      for (const node of nodes) {
        for (const target of node.wires?.flat() ?? []) known(target, node.id)
        for (const list of [node.links, node.scope, node.nodes]) {
          if (Array.isArray(list)) for (const target of list) known(target, node.id)
        }
        for (const property of ['z', 'g', 'device', 'server'])
          if (node[property]) known(node[property], `${node.id}.${property}`)
      }
    })

    it('has no text that equals the id of a configuration node, which Node-RED would take for a reference', () => {
      const configurations = nodes.filter(
        ({ type }) => type === 'vision-device-config' || type === 'modbus-client',
      )
      for (const { id } of configurations)
        for (const node of nodes) should(node.name).not.equal(id, `the name of ${node.id}`)
    })

    it('needs no function node', () => {
      nodes.filter(({ type }) => type === 'function').should.be.empty()
    })
  })
}

describe('the comment on the registers', () => {
  it('says the same as the document on the handshake', () => {
    const comment = read('first-acquisition.json').find(({ id }) => id === 'cell-registers')
    const document = readFileSync(join(folder, '..', 'docs', 'plc-handshake.md'), 'utf8')
    document.should.endWith(String(comment?.info))
  })
})

describe('the examples', function () {
  this.timeout(30_000)
  let demo: Demo | undefined
  let home: string

  /** The example in a Node-RED of its own; what its debug nodes receive is printed. */
  async function load(name: string): Promise<Demo> {
    const [port = 0] = await freePorts(1)
    const text = JSON.stringify(read(name)).replace(/808\d/g, String(port))
    const nodes = JSON.parse(text) as FlowNode[]
    for (const node of nodes) if (node.type === 'debug') node.console = true
    writeFileSync(join(home, 'flows.json'), JSON.stringify(nodes))
    demo = await startDemo({ home })
    return demo
  }

  /** Presses the button until the text has been printed: the virtual device may still be starting. */
  const shows = (running: Demo, button: string, text: RegExp) =>
    eventually(async () => {
      const before = running.output().length
      await running.press(button)
      await eventually(() => running.output().slice(before).should.match(text), 1000)
    })

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'cellsight-'))
  })

  afterEach(async () => {
    await demo?.stop()
    demo = undefined
    rmSync(home, { recursive: true, force: true })
  })

  it('read and write parameters', async () => {
    const running = await load('parameters.json')
    await shows(running, 'parameters-get-one', /\b25\b/)
    await shows(running, 'parameters-get-several', /exp_auto: true/)
    await shows(running, 'parameters-get-all', /acquisition_mode: 'Continuous'/)
    await shows(running, 'parameters-get-record', /Low, Medium, High, Full/)
    await shows(running, 'parameters-set-ten', /\b10\b/)
    await shows(running, 'parameters-set-full', /Full/)
    await shows(running, 'parameters-set-exposure', /exp_auto: false, exp_value: 0.004/)
    await shows(running, 'parameters-set-wrong', /INVALID_INPUT/)
  })

  it('watch the state of a device', async () => {
    const running = await load('status.json')
    await shows(running, 'status-ask-camera', /fps: 2\d/)
    await shows(running, 'status-ask-device', /true/)
    await shows(running, 'status-ask-firmware', /v\d+\.\d+\.\d+/)
    await shows(running, 'status-stale', /stale/)
    await shows(running, 'status-fresh', /running/)
    running.output().should.match(/\s2\d\.\d\n/)
  })

  it('call services', async () => {
    const running = await load('call-a-service.json')
    await shows(running, 'service-go', /REFUSED/)
    await running.press('service-single')
    await shows(running, 'service-go', /value: 0/)
    await shows(running, 'service-nameless', /REFUSED|BAD_REQUEST/)
    await shows(running, 'service-store', /value: (0|11)\b/)
    await shows(running, 'service-list', /bin_1/)
  })
})
