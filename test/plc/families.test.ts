import should from 'should'
import { families } from '../../lib/plc/families'
import { rows, type DefaultLine } from '../../lib/plc/rows'

const words: Partial<Record<string, number>> = { DINT: 2, UDINT: 2, REAL: 2 }
const placesOf = ({ address, bit, type }: DefaultLine): string[] =>
  bit === undefined
    ? Array.from({ length: words[type] ?? 1 }, (_, offset) => `${address + offset}`)
    : [`${address}.${bit}`]

describe('the families of the handshake', () => {
  it('have the register map of the document for four phases', () => {
    families['four-phases'].map.should.eql([
      { row: 'trigger', address: 0, bit: 0, type: 'bit' },
      { row: 'ready', address: 1, bit: 0, type: 'bit' },
      { row: 'busy', address: 1, bit: 1, type: 'bit' },
      { row: 'done', address: 1, bit: 2, type: 'bit' },
      { row: 'error', address: 1, bit: 3, type: 'bit' },
      { row: 'code', address: 2, type: 'INT' },
      { row: 'counter', address: 3, type: 'UINT' },
      { row: 'duration', address: 4, type: 'UINT' },
      { row: 'life', address: 5, type: 'UINT' },
    ])
  })

  for (const { id, map, request } of Object.values(families)) {
    it(`have a map in which nothing overlaps, the PLC's words before those of the cell: ${id}`, () => {
      const places = map.flatMap(placesOf)
      new Set(places).size.should.equal(places.length)
      const bits = new Set(map.filter(({ bit }) => bit !== undefined).map(({ address }) => `${address}`))
      places.filter((place) => bits.has(place)).should.eql([])
      const last = Math.max(
        ...map.filter(({ row }) => rows[row].from === 'plc').map(({ address }) => address),
      )
      const first = Math.min(
        ...map.filter(({ row }) => rows[row].from === 'cell').map(({ address }) => address),
      )
      last.should.be.below(first)
    })

    it(`have every row that they work with: ${id}`, () => {
      const has = (row: string) => map.some((line) => line.row === row)
      ;[request, 'ready', 'busy', 'error', 'code', 'life'].filter((row) => !has(row)).should.eql([])
      if (id === 'control-words')
        should(['enable', 'resultsAck', 'triggerAck', 'missed'].every(has)).be.true()
    })
  }
})
