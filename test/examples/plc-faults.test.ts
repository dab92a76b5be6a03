import should from 'should'
import { eventually } from '../support/eventually'
import { modbusServer } from '../support/modbus-server'
import { usePlcCell, type DeployKind } from '../support/plc-cell'

/** What is deployed in the middle of an acquisition: the kind of deploy, the node that changed, and the codes that may follow. */
const deploys: readonly [kind: DeployKind, node: string, codes: number[]][] = [
  ['full', 'cell-console', [206]],
  ['flows', 'cell-console', [206]],
  ['nodes', 'cell-console', [0]],
  ['nodes', 'cell-acquire', [206]],
  ['nodes', 'cell-result', [0, 206]],
  ['nodes', 'cell-trigger', [0, 206]],
  ['nodes', 'cell-plc', [0, 206]],
]

describe('the cell of first-acquisition, with a PLC that writes', function () {
  this.timeout(120_000)
  // *Ready* waits for the interrupted cycle as long as it may take.
  const cell = usePlcCell(() => ({ deadline: 15 }))

  for (const [index, [kind, node, codes]] of deploys.entries())
    it(`executes an edge once, and answers it, whatever is deployed meanwhile: ${kind}, ${node}`, async () => {
      const { connect, set, deploy, acquisitions } = cell()
      const plc = await connect()
      await plc.until(({ ready }) => ready)
      await set('quality', 'Full')
      const before = acquisitions()
      await plc.trigger(true)
      await plc.until(({ busy }) => busy)
      // The device has the edge before the deploy comes.
      await eventually(() => acquisitions().should.equal(before + 1))
      await deploy(kind, node, { name: `changed ${index}` })
      const again = await connect()
      const answer = await again.until(({ done, error }) => done || error)
      should(answer.code).be.oneOf(codes)
      should(acquisitions()).equal(before + 1)
      await set('quality', 'Low')
      await again.trigger(false)
      // An answer of before a deploy stands beside ready until the next edge.
      await again.until(({ ready }) => ready)
      // The device may still be at the one before.
      await eventually(async () => should(await again.acquire()).containEql({ done: true, code: 0 }))
    })

  it('sees a pulse of no length', async () => {
    const { connect, acquisitions } = cell()
    const plc = await connect()
    const { counter } = await plc.until(({ ready }) => ready)
    const before = acquisitions()
    await Promise.all([plc.trigger(true), plc.trigger(false)])
    await plc.until((state) => state.done && state.ready && state.counter === counter + 1)
    should(acquisitions()).equal(before + 1)
  })

  it('never answers a trigger that dropped and rose while busy with the result of the one before', async () => {
    const { connect, set, acquisitions } = cell()
    const plc = await connect()
    await plc.until(({ ready, busy }) => ready && !busy)
    await set('quality', 'High')
    const before = acquisitions()
    await plc.trigger(true)
    await plc.until(({ busy }) => busy)
    await plc.trigger(false)
    await plc.trigger(true)
    const answer = await plc.until(({ done, error, busy }) => !busy && (done || error))
    should(answer).containEql({ done: false, error: true, code: 101 })
    should(acquisitions()).equal(before + 1)
    await plc.trigger(false)
    await plc.until(({ ready, error }) => ready && !error)
    should(await plc.acquire()).containEql({ done: true, code: 0 })
  })
})

/** A PLC that is a Modbus server, by a library that is not ours, and remembers what its state word has been. */
async function startServer(port: number) {
  const registers = new Uint16Array(64)
  const states: number[] = []
  const { stop } = await modbusServer(
    {
      get: (address) => registers[address] ?? 0,
      set: (address, value) => {
        registers[address] = value
        if (address === 1) states.push(value)
      },
    },
    { port },
  )
  return { states, stop }
}

describe('the cell of first-acquisition, that polls its PLC', function () {
  this.timeout(120_000)
  let server: Awaited<ReturnType<typeof startServer>> | undefined
  let start: () => Promise<void> = () => Promise.resolve()
  const cell = usePlcCell((port) => {
    start = async () => {
      server = await startServer(port)
    }
    void start()
    return { connection: 'client', host: '127.0.0.1', hostPort: port, poll: 20 }
  })
  after(() => server?.stop())

  it('shows no old done to a PLC that comes back with an empty memory', async () => {
    const { connect, acquisitions } = cell()
    const plc = await connect()
    await plc.until(({ ready }) => ready)
    await plc.trigger(true)
    await plc.until(({ done }) => done)
    const before = acquisitions()
    await server?.stop()
    await start()
    const again = await connect()
    await again.until(({ ready }) => ready)
    should(server?.states.filter((state) => (state & 4) !== 0)).eql([])
    should(acquisitions()).equal(before)
    should(await again.acquire()).containEql({ done: true, code: 0 })
  })
})
