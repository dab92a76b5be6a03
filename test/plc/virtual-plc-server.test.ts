import should from 'should'
import ModbusRTU from 'modbus-serial'
import { PlcCell, type CellEvents } from '../../lib/plc/handshake/cell'
import { modbusProtocol } from '../../lib/plc/modbus'
import { openClientPort, openServerPort } from '../../lib/plc/handshake/ports'
import { openMap, type MapLine } from '../../lib/plc/data'
import { families, familyIds, type FamilyId } from '../../lib/plc/families'
import type { PlcError } from '../../lib/plc/plc-error'
import { modbusPlcServer, VirtualPlc, type VirtualPlcOptions } from '../../lib/plc/virtual/virtual-plc'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'

/** Bits in coils, and words so far apart that one request does not read them all. */
const scattered: MapLine[] = [
  { row: 'sequence', address: 0, type: 'UINT' },
  { row: 'manualAllowed', address: 0, area: 'coils', type: 'bit' },
  { row: 'job', address: 40, type: 'UINT' },
  { row: 'ready', address: 8, area: 'coils', type: 'bit' },
  { row: 'error', address: 9, area: 'coils', type: 'bit' },
  { row: 'code', address: 100, type: 'INT' },
  { row: 'count', address: 150, type: 'UINT' },
  { row: 'sequenceEcho', address: 200, type: 'UINT' },
]

describe('a virtual PLC that is a Modbus server, and a cell that polls it', () => {
  const open: { close: () => Promise<void> }[] = []
  let port = 0
  beforeEach(async () => {
    ;[port = 0] = await freePorts(1)
  })
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })

  const mapOf = (id: FamilyId, lines?: MapLine[]) => openMap({ lines: lines ?? families[id].map })

  function plcOf(id: FamilyId, options: Partial<VirtualPlcOptions> & { lines?: MapLine[] } = {}) {
    const map = mapOf(id, options.lines)
    const family = families[id]
    const plc = new VirtualPlc({
      ...{ serve: modbusPlcServer({ host: '127.0.0.1', port, unit: 1 }), host: '127.0.0.1', port },
      ...{ family, map, order: 'ABCD', cycle: 1 },
      ...options,
    })
    open.push(plc)
    return plc
  }

  async function cellOf(
    id: FamilyId,
    { lines, ...events }: Partial<CellEvents> & { lines?: MapLine[] } = {},
    isServer = false,
  ) {
    const map = mapOf(id, lines)
    let tokens = 0
    const cell = await PlcCell.open(
      {
        family: families[id],
        newToken: () => `token-${++tokens}`,
        openPort: (portEvents) =>
          isServer
            ? openServerPort({ port }, map, portEvents)
            : openClientPort(
                { protocol: modbusProtocol(), host: '127.0.0.1', port, interval: 5, firstPause: 5 },
                map,
                portEvents,
              ),
      },
      { onStart: ({ token, job = 0 }) => void cell.answer(token, { count: job }), ...events },
    )
    open.push(cell)
    cell.hear({ type: 'device', ready: true })
    return cell
  }

  for (const id of familyIds)
    it(`complete trigger after trigger, with the answer of each, by ${id}`, async () => {
      const plc = plcOf(id)
      const cell = await cellOf(id, {
        onStart: ({ token, acquisitionId }) => void cell.answer(token, { count: acquisitionId }),
      })
      const signal = AbortSignal.timeout(50_000)
      for (const number of [1, 2, 3]) {
        const { code, done, read } = await plc.trigger(number, signal)
        should({ code, done }).eql({ code: 0, done: true })
        if (read.count !== undefined) should(read.count).equal(number)
      }
      should(cell.counts).containEql({ accepted: 3, done: 3, failed: 0, missed: 0 })
    })

  for (const isServer of [false, true])
    it(`find each other's words in any map, with the ${isServer ? 'cell' : 'PLC'} as the server`, async () => {
      const lines = scattered
      if (isServer) await cellOf('sequence', { lines }, true)
      const plc = plcOf('sequence', { lines, ...(isServer && { serve: undefined }) })
      if (!isServer) await cellOf('sequence', { lines })
      for (const job of [7, 8]) {
        const { done, read } = await plc.trigger(job, AbortSignal.timeout(50_000))
        should(done).equal(true)
        should(read).containEql({ count: job, code: 0 })
      }
    })

  it('has registers that a program of others reads and writes', async () => {
    const plc = plcOf('sequence')
    await plc.opened
    const jobs: (number | undefined)[] = []
    const answered: Promise<unknown>[] = []
    const cell = await cellOf('sequence', {
      onStart: ({ token, job }) => {
        jobs.push(job)
        answered.push(cell.answer(token, {}))
      },
    })
    const panel = new ModbusRTU()
    await panel.connectTCP('127.0.0.1', { port })
    open.push({ close: () => new Promise((resolve) => panel.close(() => resolve())) })
    panel.setID(1)
    const word = async (address: number) => (await panel.readHoldingRegisters(address, 1)).data[0]
    await eventually(async () => should(((await word(27)) ?? 0) & 1).equal(1))
    await panel.writeRegister(1, 5)
    await panel.writeRegister(0, 41)
    await eventually(async () => should(await word(28)).equal(41))
    should(jobs).eql([5])
    should((await plc.trigger(6, AbortSignal.timeout(50_000))).done).equal(true)
    should(jobs).eql([5, 6])
    should(await Promise.all(answered)).eql(['answered', 'answered'])
    should(await word(28)).equal(42)
  })

  it('looks at nothing before there is a cell', async () => {
    const map = mapOf('sequence')
    let looks = 0
    const readWords: typeof map.readWords = (valueAt) => {
      looks++
      return map.readWords(valueAt)
    }
    const plc = plcOf('sequence', { map: { ...map, readWords } })
    const answer = plc.trigger(3, AbortSignal.timeout(50_000))
    await plc.opened
    await new Promise(setImmediate)
    should(looks).equal(0)
    await cellOf('sequence')
    should(await answer).containEql({ done: true })
  })

  it('hears the last words of a cell that is closed at the same moment', async () => {
    const links: unknown[] = []
    const troubles: unknown[] = []
    const plc = plcOf('four-phases', { farewell: 60_000 })
    await plc.opened
    const cell = await cellOf('four-phases', {
      onLink: (up, reason) => links.push(reason ?? up),
      onTrouble: (error) => troubles.push(error),
    })
    should((await plc.trigger(1, AbortSignal.timeout(50_000))).done).equal(true)
    const closed = plc.close()
    // A server that closes at once has ended its connections by then.
    for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    await cell.close()
    await closed
    should(links).eql([true])
    should(troubles).eql([])
  })

  it('says why its port cannot be opened', async () => {
    const plc = plcOf('sequence', { serve: modbusPlcServer({ host: '192.0.2.1', port }) })
    const error = (await plc.opened.catch((problem: unknown) => problem)) as PlcError
    should(error).containEql({ code: 'INVALID_INPUT', key: 'modbus-own-address' })
    await plc.trigger(1, AbortSignal.timeout(50_000)).should.be.rejectedWith({ key: 'modbus-own-address' })
  })
})
