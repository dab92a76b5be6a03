import 'should'
import { planReads, planWrites, type ReadItem } from '../../../lib/plc/client'
import { modbusLimits as most } from '../../../lib/plc/modbus'
import type { CellWord, RowGroup } from '../../../lib/plc/rows'
import { seededRandom } from '../../../virtual-device/values'

const registers = (...addresses: number[]): ReadItem[] =>
  addresses.map((address) => ({ area: 'registers', address }))
const word = (address: number, group: RowGroup, area: CellWord['area'] = 'registers'): CellWord => ({
  area,
  address,
  group,
  value: address & 1,
})
const extents = (words: readonly CellWord[]) =>
  planWrites(words, most.write).map(({ area, address, values }) => [area, address, values.length])

describe('planReads', () => {
  it('reads what stands close together in one request', () => {
    planReads(registers(5, 0, 1, 5, 9), most.read).should.deepEqual([
      { kind: 'read', area: 'registers', address: 0, count: 10 },
    ])
  })

  it('leaves out gaps that are larger than allowed', () => {
    const extentsOf = (gap: number) => planReads(registers(0, 3, 6), most.read, gap).map(({ count }) => count)
    extentsOf(2).should.deepEqual([7])
    extentsOf(1).should.deepEqual([1, 1, 1])
    planReads(registers(0, 1, 3), most.read, 0)
      .map(({ count }) => count)
      .should.deepEqual([2, 1])
  })

  it('keeps to 125 registers and 2000 coils', () => {
    const many = Array.from({ length: 4100 }, (_, address) => address)
    planReads(registers(...many.slice(0, 251)), most.read)
      .map(({ count }) => count)
      .should.deepEqual([125, 125, 1])
    planReads(
      many.map((address) => ({ area: 'coils', address })),
      most.read,
    )
      .map(({ count }) => count)
      .should.deepEqual([2000, 2000, 100])
  })

  it('reads what is asked for before what belongs to it', () => {
    const items: ReadItem[] = [...registers(10, 11), { area: 'registers', address: 500, first: true }]
    planReads(items, most.read)
      .map(({ address }) => address)
      .should.deepEqual([500, 10])
  })

  it('reads each area by itself', () => {
    planReads(
      [...registers(1), { area: 'coils', address: 1 }, { area: 'inputRegisters', address: 2 }],
      most.read,
    )
      .map(({ area }) => area)
      .should.deepEqual(['coils', 'inputRegisters', 'registers'])
  })
})

describe('planWrites', () => {
  it('writes results and state in one request where they stand beside each other, in whatever order', () => {
    extents([word(1, 'state'), word(2, 'result'), word(3, 'result'), word(4, 'life')]).should.deepEqual([
      ['registers', 1, 4],
    ])
  })

  it('writes results first where the state stands apart', () => {
    extents([word(1, 'state'), word(10, 'result'), word(11, 'result')]).should.deepEqual([
      ['registers', 10, 2],
      ['registers', 1, 1],
    ])
  })

  it('writes results elsewhere before the block of results and state', () => {
    extents([word(1, 'state'), word(2, 'result'), word(10, 'result'), word(20, 'life')]).should.deepEqual([
      ['registers', 10, 1],
      ['registers', 1, 2],
      ['registers', 20, 1],
    ])
  })

  it('takes blocks apart that each hold results and state', () => {
    extents([word(1, 'state'), word(2, 'result'), word(10, 'state'), word(11, 'result')]).should.deepEqual([
      ['registers', 2, 1],
      ['registers', 11, 1],
      ['registers', 1, 1],
      ['registers', 10, 1],
    ])
  })

  it('needs no request more for a life signal among the results', () => {
    extents([word(10, 'result'), word(11, 'life'), word(1, 'state')]).should.deepEqual([
      ['registers', 10, 2],
      ['registers', 1, 1],
    ])
  })

  it('writes coils that make registers valid after them', () => {
    extents([word(0, 'state', 'coils'), word(0, 'result'), word(1, 'echo', 'coils')]).should.deepEqual([
      ['registers', 0, 1],
      ['coils', 0, 2],
    ])
  })

  it('keeps to 123 registers, and the state comes last wherever it stands', () => {
    const many = Array.from({ length: 200 }, (_, address) =>
      word(address, address === 0 ? 'state' : 'result'),
    )
    extents(many).should.deepEqual([
      ['registers', 123, 77],
      ['registers', 0, 123],
    ])
  })

  it('writes changed words with those between them, and no others', () => {
    const words = [word(0, 'result'), word(1, 'result'), word(2, 'result'), word(3, 'state'), word(4, 'life')]
    const changed = (...addresses: number[]) =>
      planWrites(words, most.write, ({ address }) => addresses.includes(address)).map(
        ({ address, values }) => [address, values.length],
      )
    changed(4).should.deepEqual([[4, 1]])
    changed(0, 3).should.deepEqual([[0, 4]])
    changed(1, 2).should.deepEqual([[1, 2]])
    changed().should.deepEqual([])
  })

  it('writes each word once, and never a state before a result, in maps of any kind', () => {
    const random = seededRandom(7)
    const groups: RowGroup[] = ['result', 'result', 'state', 'echo', 'life']
    const order = ['result', 'state', 'echo']
    for (let round = 0; round < 500; round++) {
      const words = Array.from({ length: 40 }, (_, index) =>
        word(index * (random() < 0.8 ? 1 : 3), groups[Math.floor(random() * groups.length)] ?? 'life'),
      ).filter(({ address }, index, all) => all.findIndex((other) => other.address === address) === index)
      const requestOf = new Map<number, number>()
      planWrites(words, most.write).forEach(({ address, values }, request) =>
        values.forEach((value, index) => {
          requestOf.has(address + index).should.be.false()
          requestOf.set(address + index, request)
          value.should.equal((address + index) & 1)
        }),
      )
      requestOf.size.should.equal(words.length)
      for (const one of words)
        for (const other of words)
          if (order.indexOf(one.group) >= 0 && order.indexOf(one.group) < order.indexOf(other.group))
            requestOf.get(one.address)?.should.be.belowOrEqual(requestOf.get(other.address) ?? -1)
    }
  })
})
