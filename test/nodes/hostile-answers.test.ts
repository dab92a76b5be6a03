import { createServer, type IncomingMessage } from 'node:http'
import helper from 'node-red-node-test-helper'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { onTab } from '../support/bench'
import { watchEnds, type Ends } from '../support/ends'
import { eventually } from '../support/eventually'
import { hostileAnswers, slips } from '../support/hostile-answers'
import { listening, type Listening } from '../support/listening'
import { ourNodes } from '../support/our-nodes'
import { problemOf } from '../support/problem-of'
import { startAlteringProxy, type AlteringProxy, type Alteration } from '../support/proxies/altering-proxy'
import { works } from '../support/works'

/** Answers with one wrong part, for each operation of each node. */
const slipCount = process.env['CELLSIGHT_LONG'] ? 300 : 6
const login = { user: 'cell', password: 'hush-3e1' }
const secrets = [login.password, Buffer.from(`${login.user}:${login.password}`).toString('base64')]

describe('nodes on a device that answers nonsense', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 600_000 : 120_000)
  const variants = ['single', 'multi'] as const
  const devices: VirtualDevice[] = []
  const proxies: AlteringProxy[] = []
  const strayed: IncomingMessage[] = []
  let elsewhere: Listening
  let ends: Ends
  let count = 0

  before(async () => {
    elsewhere = await listening(
      createServer((request, response) => {
        strayed.push(request)
        response.end('{}')
      }),
    )
    for (const variant of variants) {
      const device = await startVirtualDevice({ port: 0, variant })
      devices.push(device)
      proxies.push(await startAlteringProxy(device.url))
    }
    ends = watchEnds()
    await helper.startServer()
    const credentials = Object.fromEntries(variants.map((variant) => [variant, login]))
    await helper.load([...ourNodes], flow(), credentials)
    await eventually(() => {
      for (const variant of variants)
        (helper.getNode(variant) as unknown as { device: { state: string } }).device.state.should.equal(
          'ready',
        )
    })
  })
  after(async () => {
    ends.stop()
    await helper.unload()
    await helper.stopServer()
    for (const part of [...proxies, ...devices, elsewhere]) await part.stop()
  })

  const flow = () => [
    { id: 'tab', type: 'tab', label: 'test' },
    ...variants.map((variant, index) => ({
      id: variant,
      type: 'vision-device-config',
      name: '',
      address: proxies[index]?.url,
      login: 'password',
      deadline: 1,
      healthInterval: 3600,
    })),
    ...['sink', 'copy'].map((id) => ({ ...onTab, id, type: 'helper', wires: [] })),
    ...Object.entries(works).map(([id, { node, fields, variant = 'single' }]) => ({
      ...onTab,
      id,
      type: `vision-${node}`,
      device: variant,
      // The second one gets a clone.
      wires: [
        ['sink', 'copy'],
        ['sink', 'copy'],
        ['sink', 'copy'],
      ],
      ...fields,
    })),
  ]

  /** One message through one node. */
  async function send(work: string, message: object = works[work]?.message ?? {}) {
    const id = `${work} ${++count}`
    helper.getNode(work)?.receive(structuredClone({ ...message, _msgid: id }))
    const end = await ends.ended(work, id)
    return { end, id }
  }

  for (const [work, { before: first = [], variant }] of Object.entries(works)) {
    it(`end every message of ${work} once, with the reason`, async () => {
      const proxy = proxies[variant ? 1 : 0] as AlteringProxy
      await prepare()
      proxy.requests()
      await fine()
      const asked = proxy.requests()
      const problems: string[] = []
      asked.length.should.be.above(0)

      for (const what of asked) {
        for (const [name, answer] of Object.entries(hostileAnswers(elsewhere.url)))
          await survives(`${name} to ${what}`, what, answer)
        for (let seed = 1; seed <= slipCount; seed++)
          await survives(`slip ${seed} in ${what}`, what, slips(seed))
      }
      should(problems).eql([])
      await prepare()
      await fine()

      async function prepare() {
        for (const message of first) should((await send(work, message)).end.errors).eql([])
      }
      async function fine() {
        const { end } = await send(work)
        should(end.errors).eql([])
        end.done.should.equal(1)
      }
      async function survives(name: string, what: string, answer: Alteration) {
        proxy.alter(what, answer)
        const { end, id } = await send(work)
        proxy.alter()
        should(end).equal(ends.of(work, id))
        const problem = problemOf(end, secrets)
        if (problem) problems.push(`${name}: ${problem}`)
      }
    })
  }

  it('never follow a redirection', () => should(strayed.map(({ url }) => url)).eql([]))

  it('leave every object unchanged', () => should(({} as Record<string, unknown>)['polluted']).be.undefined())
})
