import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { dialogSource, nodeNames } from '../support/dialog-source'
import { messageFlow, messageNodes, messagesFor } from '../support/message-nodes'
import { startMill, type Mill, type RoundResult } from '../support/mill'
import { endless, startMisbehavingServer } from '../support/misbehaving-server'
import { faults, startFaultyProxy, type Fault, type FaultyProxy } from '../support/proxies/faulty-proxy'

const seed = 20_26
const count = process.env['CELLSIGHT_LONG'] ? 10_000 : 200
/** Share of faulty requests; one that is never answered costs its whole deadline. */
const shareOf = (fault: Fault) => (fault === 'stall' ? 0.04 : 0.1)
const nodes = Object.keys(messageNodes)
const expected = Object.values(messageNodes).reduce((sum, node) => sum + messagesFor(node, count), 0)

/** Nodes that never ask a device. */
const withoutDevice: ReadonlySet<string> = new Set([
  'virtual-device',
  'virtual-plc',
  'plc-result',
  'robot-answer',
  'robot',
  'plc-messages',
  'cell-agent',
  'fleet',
  'operator-calibration',
  'operator-devices',
  'operator-fleet',
  'operator-panel',
  'operator-permission',
])

describe('every node on a bad connection', function () {
  this.timeout(count * 100 + 100_000)
  const devices: VirtualDevice[] = []
  const proxies: FaultyProxy[] = []
  let mill: Mill
  const heaps: number[] = []

  before(async () => {
    for (const variant of ['single', 'multi'] as const) {
      const device = await startVirtualDevice({ port: 0, seed, variant })
      devices.push(device)
      proxies.push(await startFaultyProxy(device.port, seed))
    }
    const [single, multi] = proxies.map(({ url }) => url)
    const config = { deadline: 0.2, queue: 1000, healthInterval: 5 }
    mill = await startMill(messageFlow({ single: single ?? '', multi: multi ?? '' }, config))
    await mill.grind({ round: 'warm', nodes, count: 20 })
  })
  after(async () => {
    await mill.stop()
    for (const part of [...proxies, ...devices]) await part.stop()
  })

  it('includes all nodes that work on messages', () => {
    const takesMessages = (node: string) => dialogSource(node).registered[0]?.definition.inputs === 1
    const wanted = nodeNames.filter((node) => takesMessages(node) && !withoutDevice.has(node))
    nodes.toSorted().should.deepEqual(wanted.toSorted())
  })

  for (const fault of Object.keys(faults) as Fault[])
    it(`ends each of ${count} messages once if ${faults[fault]}`, async () => {
      const told = countingDeletions(devices[0])
      const result = await ground(fault)
      told.stop()

      result.ends.length.should.equal(expected)
      for (const [id, { done, errors, outputs }] of result.ends) {
        ;(done + errors).should.equal(1, id)
        // The steps of long work have outputs of their own.
        if (done) outputs.should.be.above(0, id)
        else if (!/calibration|firmware/.test(id)) outputs.should.equal(0, id)
      }
      result.ends.filter(([, { done }]) => done).length.should.be.above(result.ends.length / 4)
      told.times().size.should.be.above(count / 4)
      Math.max(...told.times().values()).should.equal(1)
      heaps.push(result.held.heap)
    })

  it('retains nothing of all these messages', () => {
    const [first = 0] = heaps
    const last = heaps.at(-1) ?? 0
    ;(last / first).should.be.below(1.1)
  })

  async function ground(fault: Fault): Promise<RoundResult> {
    const before = proxies.map((proxy) => proxy.affected())
    for (const proxy of proxies) proxy.inject(fault, shareOf(fault))
    const result = await mill.grind({ round: fault, nodes, count })
    for (const proxy of proxies) proxy.inject(undefined)
    for (const [index, proxy] of proxies.entries())
      (proxy.affected() - (before[index] ?? 0)).should.be.above((count * shareOf(fault)) / 4)
    return result
  }
})

/** How often the device is told to delete each region; it remembers only its last thousand requests. */
function countingDeletions(device: VirtualDevice | undefined) {
  const seen = new WeakSet<object>()
  const times = new Map<string, number>()
  const look = () => {
    for (const call of device?.calls() ?? []) {
      if (call.operation !== 'callGlobalService' || seen.has(call)) continue
      seen.add(call)
      const { args } = call.input as { args?: { region_of_interest_ids?: string[] } }
      for (const id of args?.region_of_interest_ids ?? []) times.set(id, (times.get(id) ?? 0) + 1)
    }
  }
  const timer = setInterval(look, 50)
  return {
    times: () => times,
    stop: () => {
      look()
      clearInterval(timer)
    },
  }
}

/** Most bytes of an endless answer that a client accepts: fewer cannot come from a stored one. */
const oneAnswer = 16 * 1024 * 1024

describe('every node on a device whose answers are endless', () => {
  it('ends its messages, and retains nothing of the answers', async () => {
    const device = await startMisbehavingServer()
    device.behave(endless)
    const mill = await startMill(
      messageFlow({ single: device.url, multi: device.url }, { healthInterval: 60 }),
    )
    try {
      // These ask the device nothing: image-receive is told to stop, recipes for a product that was checked when it was saved.
      const silent = ['robot-pose', 'firmware-update', 'image-receive', 'recipes']
      const asking = nodes.filter((name) => !silent.includes(name))
      const first = await mill.grind({ round: 'first', nodes: asking, count: 1 })
      const second = await mill.grind({ round: 'second', nodes: asking, count: 2 })
      for (const { ends } of [first, second])
        for (const [id, { done, errors }] of ends)
          ({ done, errors }).should.deepEqual({ done: 0, errors: 1 }, id)
      // Connections that end need their memory for a moment longer.
      await eventually(async () => {
        const { held } = await mill.grind({ round: 'none', nodes: [], count: 0 })
        should(held.heap - first.held.heap).be.below(oneAnswer)
        should(held.external - first.held.external).be.below(oneAnswer)
      })
    } finally {
      await mill.stop()
      await device.stop()
    }
  })
})
