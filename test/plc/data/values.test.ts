import 'should'
import { openMap, wordOrders, type MapLine, type PlcMap } from '../../../lib/plc/data'
import type { NumberType } from '../../../lib/plc/data/map'
import { fitted, numberOfRegisters, registersOf } from '../../../lib/plc/data/values'
import type { CellData } from '../../../lib/plc/rows'
import { seededRandom } from '../../../virtual-device/values'
import { cellOutputs } from '../support/cell-outputs'

/** The words of one line for a property. */
function written(line: Partial<MapLine>, value: unknown, map: Partial<PlcMap> = {}): string[] {
  const opened = openMap({
    ...map,
    lines: [{ row: 'property', path: 'payload', address: 0, type: 'INT', ...line }],
  })
  const message = { payload: value }
  const faults = opened.faultsOf({ message })
  if (faults.length) return faults.map(({ problem }) => problem)
  return opened
    .words(cellOutputs({ data: { message } }))
    .map((word) => word.value.toString(16).padStart(4, '0'))
}

describe('values in registers', () => {
  const ordered = {
    ABCD: { one: '3f80 0000', many: '0001 e240' },
    CDAB: { one: '0000 3f80', many: 'e240 0001' },
    BADC: { one: '803f 0000', many: '0100 40e2' },
    DCBA: { one: '0000 803f', many: '40e2 0100' },
  }
  for (const order of wordOrders)
    it(`stand in the order ${order}`, () => {
      written({ type: 'REAL' }, 1, { order }).join(' ').should.equal(ordered[order].one)
      written({ type: 'DINT' }, 123_456, { order }).join(' ').should.equal(ordered[order].many)
      written({ type: 'UDINT' }, 123_456, { order }).join(' ').should.equal(ordered[order].many)
      written({ type: 'INT' }, 0x0102, { order }).should.deepEqual(['0102'])
    })

  it('stand in an order of their own where their line has one, and are read back by it', () => {
    for (const order of wordOrders) {
      const own = wordOrders[(wordOrders.indexOf(order) + 1) % wordOrders.length] ?? order
      written({ type: 'REAL', order: own }, 1, { order }).join(' ').should.equal(ordered[own].one)
      const [high = 0, low = 0] = ordered[own].many.split(' ').map((word) => parseInt(word, 16))
      const { readWords } = openMap({ order, lines: [{ row: 'job', type: 'UDINT', address: 0, order: own }] })
      readWords((_, address) => [high, low][address]).should.eql({ job: 123_456 })
    }
    written({ type: 'STRING', length: 4, order: 'BADC' }, 'AB12').should.deepEqual(['4241', '3231'])
    written({ type: 'STRING', length: 4, order: 'ABCD' }, 'AB12', {
      textOrder: 'first-low',
    }).should.deepEqual(['4142', '3132'])
  })

  it("are two's complement", () => {
    written({}, -8).should.deepEqual([(65_528).toString(16)])
    written({ type: 'DINT' }, -2).should.deepEqual(['ffff', 'fffe'])
    written({ type: 'UDINT' }, 4_294_967_295).should.deepEqual(['ffff', 'ffff'])
  })

  it('come back as they were written, in every type and order', () => {
    const random = seededRandom(3)
    const spans: Record<NumberType, [number, number]> = {
      INT: [-32_768, 32_767],
      UINT: [0, 65_535],
      DINT: [-2_147_483_648, 2_147_483_647],
      UDINT: [0, 4_294_967_295],
      REAL: [-1e6, 1e6],
    }
    for (const [type, [least, most]] of Object.entries(spans) as [NumberType, [number, number]][])
      for (const order of wordOrders)
        for (const value of [
          least,
          most,
          0,
          ...Array.from({ length: 50 }, () => least + random() * (most - least)),
        ]) {
          const fit = fitted(value, type, 'exact') ?? NaN
          numberOfRegisters(registersOf(fit, type, order), type, order).should.equal(fit)
        }
  })

  it('are rounded half away from zero, in the decimals that a person reads', () => {
    const tenths = { unit: '0.1 mm' as const }
    written(tenths, 0.00115).should.deepEqual(['000c'])
    written(tenths, -0.00115).should.deepEqual([(65_536 - 12).toString(16)])
    written(tenths, 0.0011499).should.deepEqual(['000b'])
    written({}, 2.5).should.deepEqual(['0003'])
    written({}, -0.4).should.deepEqual(['0000'])
  })

  const limits: [NumberType, number, number][] = [
    ['INT', 32_767.4, 32_768],
    ['INT', -32_768.4, -32_768.5],
    ['UINT', 65_535, 65_536],
    ['UINT', 0, -1],
    ['DINT', 2_147_483_647, 2_147_483_648],
    ['UDINT', 4_294_967_295, 4_294_967_296],
    ['REAL', 3.4028234663852886e38, 3.41e38],
    ['REAL', -1e38, -Infinity],
  ]
  for (const [type, fits, not] of limits)
    it(`of ${type} hold ${fits}, and ${not} is a fault`, () => {
      written({ type }, fits).should.not.deepEqual(['range'])
      written({ type }, not).should.deepEqual(['range'])
    })

  it('never hold what is no number, is missing, or is of another kind', () => {
    for (const type of ['INT', 'UINT', 'DINT', 'UDINT', 'REAL'] as const) {
      written({ type }, NaN).should.deepEqual(['not-a-number'])
      written({ type }, undefined).should.deepEqual(['missing'])
      written({ type }, null).should.deepEqual(['missing'])
      for (const odd of ['12', {}, [1], 10n]) written({ type }, odd).should.deepEqual(['kind'])
    }
    written({ type: 'bit', bit: 3 }, 2).should.deepEqual(['kind'])
  })

  it('are bits of a word', () => {
    written({ type: 'bit', bit: 15 }, true).should.deepEqual(['8000'])
    written({ type: 'bit', bit: 0 }, 1).should.deepEqual(['0001'])
    written({ type: 'bit', bit: 7 }, false).should.deepEqual(['0000'])
    written({ type: 'UINT' }, true).should.deepEqual(['0001'])
  })

  it('are texts of two characters a register, in either order, with 0 behind them', () => {
    written({ type: 'STRING', length: 5 }, '12AB').should.deepEqual(['3132', '4142', '0000'])
    written({ type: 'STRING', length: 4 }, '12AB', { textOrder: 'first-low' }).should.deepEqual([
      '3231',
      '4241',
    ])
    written({ type: 'STRING', length: 2 }, 'ä').should.deepEqual(['e400'])
    written({ type: 'STRING', length: 3 }, 12).should.deepEqual(['3132', '0000'])
    written({ type: 'STRING', length: 3 }, 'long').should.deepEqual(['length'])
    written({ type: 'STRING', length: 3 }, '€').should.deepEqual(['characters'])
    written({ type: 'STRING', length: 3 }, true).should.deepEqual(['kind'])
  })

  it('are bytes, also as JSON has them', () => {
    const bytes = { type: 'bytes' as const, length: 4 }
    const some = Buffer.from([1, 2, 255])
    for (const given of [some, [1, 2, 255], JSON.parse(JSON.stringify(some)) as unknown])
      written(bytes, given).should.deepEqual(['0102', 'ff00'])
    written(bytes, [1, 2, 3, 4, 5]).should.deepEqual(['length'])
    written(bytes, [256]).should.deepEqual(['kind'])
    written(bytes, 'text').should.deepEqual(['kind'])
  })

  const scaled: [Partial<MapLine>, number, string][] = [
    [{ unit: 'mm' }, 1.2344, '04d2'],
    [{ unit: '0.01 mm' }, 0.1, '2710'],
    [{ unit: '0.01°' }, Math.PI, '4650'],
    [{ unit: '0.001 rad' }, Math.PI, '0c46'],
    [{ unit: 's' }, 2600, '0003'],
    [{ scale: 1000 }, 0.987, '03db'],
    [{ scale: 10, unit: 'mm' }, 0.001, '000a'],
  ]
  for (const [line, value, hex] of scaled)
    it(`are written as ${JSON.stringify(line)}`, () => {
      written(line, value).should.deepEqual([hex])
    })

  it('start again at 0 where they count, and stay at the most where they measure time', () => {
    const line = (row: MapLine['row'], address: number, type: MapLine['type']): MapLine => ({
      row,
      address,
      type,
    })
    const map = openMap({
      lines: [
        line('counter', 0, 'INT'),
        line('life', 1, 'UINT'),
        line('missedCount', 2, 'REAL'),
        line('duration', 4, 'INT'),
      ],
    })
    const words = map.words(
      cellOutputs({ counter: 32_768, life: 65_537, missedCount: 2 ** 24, duration: 1e9 }),
    )
    words.map(({ value }) => value).should.deepEqual([0, 1, 0, 0, 32_767])
  })
})

describe('poses in registers', () => {
  /** Turned by 90° about z. */
  const pose = {
    position: { x: 0.1, y: -0.2, z: 1.5 },
    orientation: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 },
  }
  const data: CellData = { poses: [pose] }
  const numbers = (type: MapLine['type'], map: Partial<PlcMap> = {}, line: Partial<MapLine> = {}) => {
    const opened = openMap({ ...map, lines: [{ row: 'pose', index: 1, address: 0, type, ...line }] })
    return opened.preview(cellOutputs({ data })).map(({ value }) => Number(Number(value).toFixed(4)))
  }

  it('are the numbers of a robot maker, in its units', () => {
    numbers('REAL').should.deepEqual([100, -200, 1500, 90, 0, 0])
    numbers('REAL', { pose: { format: 'fanuc' } }).should.deepEqual([100, -200, 1500, 0, 0, 90])
    numbers('REAL', { pose: { format: 'doosan' } }).should.deepEqual([100, -200, 1500, 90, 0, 0])
    numbers('REAL', { pose: { format: 'custom:xyz fixed rad m' } }).should.deepEqual([
      0.1, -0.2, 1.5, 0, 0, 1.5708,
    ])
    numbers('REAL', { pose: { format: 'universal-robots' } }).should.deepEqual([0.1, -0.2, 1.5, 0, 0, 1.5708])
    numbers('REAL', { pose: { format: 'abb' } }).should.deepEqual([100, -200, 1500, 0.7071, 0, 0, 0.7071])
  })

  it('are tenths and hundredths in 16 bit, thousandths in 32', () => {
    numbers('INT').should.deepEqual([1000, -2000, 15_000, 9000, 0, 0])
    numbers('DINT').should.deepEqual([100_000, -200_000, 1_500_000, 90_000, 0, 0])
    numbers('INT', { pose: { format: 'abb' } })
      .slice(3)
      .should.deepEqual([7071, 0, 0, 7071])
  })

  it('are in the units of the map, or of their line', () => {
    const map: Partial<PlcMap> = { pose: { length: 'mm', angle: '0.1°' } }
    numbers('INT', map).should.deepEqual([100, -200, 1500, 900, 0, 0])
    numbers('INT', map, { component: 1, unit: '0.01 mm' }).should.deepEqual([10_000])
  })

  it('stand one after the other, and are 0 behind the last', () => {
    const map = openMap({
      lines: [
        { row: 'count', address: 0, type: 'INT' },
        { row: 'pose', index: 1, component: 3, address: 1, type: 'INT', unit: 'mm' },
        { row: 'pose', index: 2, component: 3, address: 2, type: 'INT' },
      ],
    })
    map
      .words(cellOutputs({ data }))
      .map(({ value }) => value)
      .should.deepEqual([1, 1500, 0])
    map
      .words(cellOutputs())
      .map(({ value }) => value)
      .should.deepEqual([0, 0, 0])
  })

  it('are a fault where a number does not fit, told with its limits and what to do', () => {
    const far = { ...pose, position: { x: 0.1, y: 0, z: 3.2768 } }
    const map = openMap({ lines: [{ row: 'pose', index: 2, address: 10, type: 'INT' }] })
    const given = { poses: [pose, far] }
    const told = map
      .faultsOf(given)
      .map(({ subject, ...fault }) => ({ ...fault, label: subject.inLanguage('de') }))
    told.should.deepEqual([
      {
        problem: 'range',
        label: 'Pose 2.3',
        line: 0,
        type: 'INT',
        value: 32_768,
        least: -32_768,
        most: 32_767,
      },
    ])
    const error = map.misfit(given)
    error?.should.have.properties({ code: 'DOES_NOT_FIT', key: 'value-range' })
    error?.message.should.startWith('"Pose 2.3" is 32768, which does not fit INT (-32768 to 32767). ')
    ;(map.misfit(data) === undefined).should.be.true()
    const broken = { ...pose, position: { x: NaN, y: 0, z: 0 } }
    map
      .faultsOf({ poses: [pose, broken] })
      .map(({ problem }) => problem)
      .should.deepEqual(['not-a-number'])
    map
      .words(cellOutputs({ data: given }))
      .map(({ value }) => value)
      .slice(0, 3)
      .should.deepEqual([1000, 0, 0])
  })
})
