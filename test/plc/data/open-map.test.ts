import 'should'
import { openMap, type MapLine, type PlcMap } from '../../../lib/plc/data'
import { families } from '../../../lib/plc/families'
import { planReads, planWrites } from '../../../lib/plc/client'
import { modbusLimits as most } from '../../../lib/plc/modbus'
import { cellOutputs } from '../support/cell-outputs'

const fourPhases: PlcMap = { lines: families['four-phases'].map }

describe('openMap', () => {
  it('writes the register map of docs/plc-modbus-server.md', () => {
    const map = openMap(fourPhases)
    const words = map.words(
      cellOutputs({ done: true, ready: true, code: -8, counter: 7, duration: 43, life: 9 }),
    )
    words
      .map(({ address, value }) => [address, value])
      .should.deepEqual([
        [1, 0b0101],
        [2, 65_528],
        [3, 7],
        [4, 43],
        [5, 9],
      ])
    planWrites(words, most.write).should.have.length(1)
    planReads(
      map.reads.filter(({ first }) => first),
      most.read,
    ).should.deepEqual([{ kind: 'read', area: 'registers', address: 0, count: 1 }])
  })

  for (const [id, { map: lines, request }] of Object.entries(families))
    it(`takes the preset ${id} as it is: one request to write, one to read`, () => {
      const map = openMap({ lines })
      const words = map.words(cellOutputs())
      planWrites(words, most.write).should.have.length(1)
      planReads(map.reads, most.read).should.have.length(1)
      // A server has every address from the first to the last, and the PLC's words alone can be written.
      const { registers } = map.blocks
      registers.should.have.length(2)
      registers.map(({ writable }) => writable).should.deepEqual([true, false])
      registers
        .reduce((sum, { count }) => sum + count, 0)
        .should.equal(1 + Math.max(...words.map(({ address }) => address)))
      map.readWords(() => 0xffff)[request]?.should.be.ok()
      ;(map.readWords(() => 0)[request] === (request === 'trigger' ? false : 0)).should.be.true()
    })

  it('reads what the PLC says, and leaves out what was not read', () => {
    const lines: MapLine[] = [
      { row: 'trigger', address: 0, bit: 0, type: 'bit' },
      { row: 'enable', address: 0, bit: 15, type: 'bit' },
      { row: 'job', address: 1, type: 'INT' },
      { row: 'argument', index: 1, address: 2, type: 'REAL' },
      { row: 'argument', index: 3, address: 4, type: 'DINT', scale: 1000 },
      { row: 'plcLife', address: 99, type: 'UINT' },
      { row: 'manualAllowed', area: 'discreteInputs', address: 3, type: 'bit' },
    ]
    const memory = [0x8000, 0xffff, 0x3fc0, 0, 0, 1500]
    const read = (area: string, address: number) => (area === 'registers' ? memory[address] : 1)
    openMap({ lines })
      .readWords(read)
      .should.deepEqual({
        trigger: false,
        enable: true,
        job: -1,
        argument: [1.5, 0, 1.5],
        manualAllowed: true,
      })
    openMap({ lines })
      .readWords(() => undefined)
      .should.deepEqual({ argument: [0, 0, 0] })
  })

  it('takes a number that is none for nothing', () => {
    const lines: MapLine[] = [{ row: 'sequence', address: 0, type: 'REAL' }]
    openMap({ lines })
      .readWords((_, address) => (address === 0 ? 0x7fc0 : 0))
      .should.deepEqual({})
  })

  it('reads what asks before what belongs to it', () => {
    const lines: MapLine[] = [
      { row: 'argument', index: 1, address: 0, type: 'INT' },
      { row: 'sequence', address: 900, type: 'UINT' },
    ]
    planReads(openMap({ lines }).reads, most.read)
      .map(({ address }) => address)
      .should.deepEqual([900, 0])
  })

  it('writes a word of bits with the last of them, and coils beside registers', () => {
    const lines: MapLine[] = [
      { row: 'resultsValid', address: 1, bit: 4, type: 'bit' },
      { row: 'property', path: 'payload.ok', address: 1, bit: 0, type: 'bit' },
      { row: 'lifeBit', address: 1, bit: 5, type: 'bit' },
      { row: 'ready', area: 'coils', address: 7, type: 'bit' },
    ]
    const outputs = cellOutputs({
      resultsValid: true,
      lifeBit: true,
      ready: true,
      data: { message: { payload: { ok: true } } },
    })
    openMap({ lines })
      .words(outputs)
      .should.deepEqual([
        { area: 'registers', address: 1, value: 0b110001, group: 'state' },
        { area: 'coils', address: 7, value: 1, group: 'state' },
      ])
  })

  it("fills no larger gap between the cell's words than it may", () => {
    const lines: MapLine[] = [
      { row: 'code', address: 0, type: 'INT' },
      { row: 'counter', address: 2, type: 'INT' },
      { row: 'sequence', address: 4, type: 'INT' },
      { row: 'life', address: 6, type: 'INT' },
      { row: 'duration', address: 9, type: 'INT' },
    ]
    const addresses = (reserve?: number) =>
      openMap({ lines, ...(reserve !== undefined && { reserve }) })
        .words(cellOutputs())
        .map(({ address }) => address)
        .sort((one, other) => one - other)
    addresses().should.deepEqual([0, 1, 2, 6, 9])
    addresses(0).should.deepEqual([0, 2, 6, 9])
    addresses(2).should.deepEqual([0, 1, 2, 6, 7, 8, 9])
  })

  it('gives variables by name, results first and state last, bits of one name as a word', () => {
    const lines: MapLine[] = [
      { row: 'ready', name: 'state', bit: 0, type: 'bit' },
      { row: 'done', name: 'state', bit: 2, type: 'bit' },
      { row: 'sequenceEcho', name: 'echo', type: 'UINT' },
      { row: 'online', name: 'online', type: 'bit' },
      { row: 'code', name: 'code', type: 'INT' },
      { row: 'pose', index: 1, name: 'pose', type: 'REAL' },
      { row: 'life', name: 'life', type: 'UINT' },
      { row: 'property', path: 'topic', name: 'text', type: 'STRING', length: 10 },
    ]
    const map = openMap({ lines }, 'name')
    const pose = { position: { x: 1, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    const outputs = cellOutputs({
      ready: true,
      done: true,
      code: -8,
      data: { poses: [pose], message: { topic: 'part' } },
    })
    map
      .variables(outputs)
      .map(({ name, type, value }) => `${name} ${type} ${String(value)}`)
      .should.deepEqual([
        'code INT -8',
        'pose.X REAL 1000',
        'pose.Y REAL 0',
        'pose.Z REAL 0',
        'pose.A REAL 0',
        'pose.B REAL 0',
        'pose.C REAL 0',
        'text STRING part',
        'state UINT 5',
        'online bit false',
        'echo UINT 0',
        'life UINT 0',
      ])
  })

  it('reads variables by name, as booleans, words and numbers', () => {
    const lines: MapLine[] = [
      { row: 'trigger', name: 'go', type: 'bit' },
      { row: 'abort', name: 'word', bit: 1, type: 'bit' },
      { row: 'job', name: 'job', type: 'INT' },
      { row: 'plcLife', name: 'life', type: 'UINT' },
      { row: 'enable', name: 'none', type: 'bit' },
    ]
    const known: Record<string, unknown> = { go: true, word: 2, job: 3, life: 'four' }
    openMap({ lines }, 'name')
      .readNames((name) => known[name])
      .should.deepEqual({ trigger: true, abort: true, job: 3 })
  })

  it('reads properties by their path alone, and only what messages have of their own', () => {
    const value = (path: string) => {
      const map = openMap({ lines: [{ row: 'property', path, address: 0, type: 'REAL' }] })
      const message = { payload: [{ 'a b': { x: 1 } }], n: 2 }
      return map.misfit({ message })?.key ?? map.preview(cellOutputs({ data: { message } }))[0]?.value
    }
    value('payload[0]["a b"].x')?.should.equal(1)
    value('msg.n')?.should.equal(2)
    value('payload.length')?.should.equal(1)
    for (const path of ['constructor.length', '__proto__.x', 'payload[1].x', 'n.x.y'])
      value(path)?.should.equal('value-missing')
  })

  it('keeps the results of an answer, whatever nodes behind it do to its message', () => {
    const bit = (row: 'ready' | 'imageProven', at: number) =>
      ({ row, address: 1, bit: at, type: 'bit' }) as const
    const map = openMap({
      lines: [
        { row: 'property', path: 'payload', address: 0, type: 'INT' },
        bit('ready', 0),
        bit('imageProven', 3),
      ],
    })
    const read = (outputs: Parameters<typeof cellOutputs>[0]) =>
      map.words(cellOutputs(outputs)).map(({ value }) => value)
    const message = { payload: 7 }
    const data = { message, proven: true }
    read({ data }).should.eql([7, 8])
    message.payload = 8
    read({ data, ready: true }).should.eql([7, 9])
    read({ data: { message }, ready: true }).should.eql([8, 1])
  })
})
