import 'should'
import { checkMap, mapFaultText, openMap, type MapLine, type PlcMap } from '../../../lib/plc/data'
import { keysOf } from '../../../lib/plc/data/map'

const trigger: MapLine = { row: 'trigger', address: 0, bit: 0, type: 'bit' }
const code: MapLine = { row: 'code', address: 2, type: 'INT' }

/** The sentences of a map's faults, by their keys. */
const keys = (lines: readonly MapLine[], by?: 'name') => checkMap({ lines }, by).map(({ key }) => key)

const wrong: [string, MapLine, string][] = [
  ['a row that does not exist', { ...code, row: 'nonsense' as 'code' }, 'map-row'],
  ['a row of every object', { ...code, row: 'toString' as 'code' }, 'map-row'],
  ['a bit as a number', { ...trigger, type: 'REAL' }, 'map-type'],
  ['a number as a bit', { ...code, type: 'bit', bit: 0 }, 'map-type'],
  ['a number as a text', { ...code, type: 'STRING', length: 4 }, 'map-type'],
  ['a bit of a REAL', { ...code, type: 'REAL', bit: 3 }, 'map-no-bit'],
  ['a bit without a number', { row: 'trigger', address: 0, type: 'bit' }, 'map-bit'],
  ['bit 16', { ...trigger, bit: 16 }, 'map-bit'],
  ['a bit of a coil', { ...trigger, area: 'coils' }, 'map-no-bit'],
  ['a number in a coil', { ...code, area: 'coils' }, 'map-area'],
  ['a result in an input', { ...code, area: 'inputRegisters' }, 'map-area'],
  ['no address', { row: 'code', type: 'INT' }, 'map-address'],
  ['a negative address', { ...code, address: -1 }, 'map-address'],
  ['half an address', { ...code, address: 0.5 }, 'map-address'],
  ['an end behind the last register', { ...code, address: 65_535, type: 'DINT' }, 'map-end'],
  ['a pose behind the last register', { row: 'pose', index: 1, address: 65_530, type: 'REAL' }, 'map-end'],
  ['index 0', { row: 'argument', index: 0, address: 0, type: 'INT' }, 'map-index'],
  ['a seventh angle', { row: 'pose', index: 1, component: 7, address: 0, type: 'INT' }, 'map-component'],
  ['no path', { row: 'property', address: 0, type: 'INT' }, 'map-path'],
  ['a text without a length', { row: 'property', path: 'payload', address: 0, type: 'STRING' }, 'map-length'],
  [
    'a length as an angle',
    { row: 'pose', index: 1, component: 1, address: 0, type: 'INT', unit: '0.1°' },
    'map-unit',
  ],
  ['a unit of nothing', { ...code, unit: 'mm' }, 'map-unit'],
  ['scale 0', { ...code, scale: 0 }, 'map-scale'],
  ['an order that no computer has', { ...code, type: 'DINT', order: 'ACBD' as 'ABCD' }, 'map-order'],
]

describe('checkMap', () => {
  for (const [what, line, key] of wrong)
    it(`finds ${what}`, () => {
      keys([line]).should.containEql(key)
      ;(() => openMap({ lines: [line] })).should.throw({ code: 'INVALID_INPUT' })
    })

  it('finds values that overlap, and names both', () => {
    const faults = checkMap({
      lines: [
        { ...code, type: 'DINT' },
        { row: 'counter', address: 3, type: 'INT' },
      ],
    })
    faults.should.have.length(1)
    const [fault] = faults
    fault?.should.containEql({ key: 'map-overlap', severity: 'error', line: 1 })
    if (!fault) throw new Error('none')
    mapFaultText(fault).should.startWith('"Successful cycles" overlaps "Result code" at 3. ')
    mapFaultText(fault, 'de').should.startWith(
      '„Erfolgreiche Zyklen“ überschneidet sich mit „Ergebniscode“ an 3. ',
    )
  })

  it('finds bits at one place, bits in a number, and words that both sides write', () => {
    keys([trigger, { row: 'abort', address: 0, bit: 0, type: 'bit' }]).should.deepEqual(['map-overlap'])
    keys([trigger, { row: 'job', address: 0, type: 'INT' }]).should.deepEqual(['map-overlap'])
    keys([trigger, { row: 'ready', address: 0, bit: 1, type: 'bit' }]).should.deepEqual(['map-mixed-word'])
    keys([trigger, { row: 'abort', address: 0, bit: 1, type: 'bit' }]).should.deepEqual([])
  })

  it('tells a pose that overlaps once', () => {
    keys([
      { row: 'pose', index: 1, address: 10, type: 'REAL' },
      { row: 'pose', index: 2, address: 15, type: 'REAL' },
    ]).should.deepEqual(['map-overlap'])
  })

  it('finds a row of the PLC that stands twice, and lets the cell write one twice', () => {
    keys([trigger, { ...trigger, address: 1 }]).should.deepEqual(['map-twice'])
    keys([trigger, code, { ...code, address: 3 }]).should.deepEqual([])
  })

  it('warns where words of both sides alternate, and opens the map', () => {
    const lines: MapLine[] = [trigger, { ...code, address: 1 }, { row: 'job', address: 2, type: 'INT' }]
    checkMap({ lines })
      .map(({ key, severity }) => [key, severity])
      .should.deepEqual([['map-alternates', 'warning']])
    openMap({ lines }).slots.should.have.length(3)
  })

  it('needs names where the protocol has them, and no addresses', () => {
    keys([{ row: 'code', type: 'INT' }], 'name').should.deepEqual(['map-name'])
    keys([{ row: 'code', name: 'code', type: 'INT' }], 'name').should.deepEqual([])
    keys([{ row: 'trigger', name: 'go', type: 'bit' }], 'name').should.deepEqual([])
    keys(
      [
        { row: 'code', name: 'x', type: 'INT' },
        { row: 'counter', name: 'x', type: 'INT' },
      ],
      'name',
    ).should.deepEqual(['map-overlap'])
  })

  const settings: [string, Partial<PlcMap>][] = [
    ['order', { order: 'ACBD' as 'ABCD' }],
    ['textOrder', { textOrder: 'high' as 'first-high' }],
    ['reserve', { reserve: 17 }],
    ['format', { pose: { format: 'other' as 'kuka' } }],
    ['length', { pose: { length: '°' as 'mm' } }],
    ['angle', { pose: { angle: 'mm' as '°' } }],
  ]
  for (const [option, map] of settings)
    it(`refuses another ${option}`, () => {
      ;(() => checkMap({ lines: [], ...map })).should.throw({ code: 'INVALID_INPUT', values: { option } })
    })
})

describe('paths', () => {
  it('are read as people write them', () => {
    keysOf('payload.grasps[0]["x y"].$1')?.should.deepEqual(['payload', 'grasps', '0', 'x y', '$1'])
    keysOf(" msg.Größe['ä'] ")?.should.deepEqual(['Größe', 'ä'])
  })

  for (const path of [
    '',
    '.',
    'a.',
    'a..b',
    'a[',
    'a[x]',
    'a b',
    '1a',
    'a'.repeat(301),
    'a.'.repeat(20) + 'a',
  ])
    it(`are not ${JSON.stringify(path.slice(0, 30))}`, () => {
      ;(keysOf(path) === undefined).should.be.true()
    })
})
