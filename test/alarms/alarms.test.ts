import fc from 'fast-check'
import should from 'should'
import { Alarms, mostAlarms, stateOf } from '../../lib/alarms/alarms'

const states = (alarms: Alarms) => alarms.sorted.map((alarm) => `${alarm.text}: ${stateOf(alarm)}`)

describe('alarms', () => {
  it('are active, acknowledged, gone, in either order', () => {
    const alarms = new Alarms()
    should(alarms.raise('device', 'cable', 1000)).be.true()
    should(states(alarms)).eql(['cable: active'])
    should(alarms.acknowledge(2000)).equal(1)
    should(states(alarms)).eql(['cable: acknowledged'])
    should(alarms.clear('device', 3000)).be.true()
    should(states(alarms)).eql(['cable: over'])
    alarms.raise('device', 'cable', 4000)
    alarms.clear('device', 5000)
    should(states(alarms)).eql(['cable: gone', 'cable: over'])
    should(alarms.open).equal(1)
    alarms.acknowledge(6000)
    should(alarms.open).equal(0)
    should(alarms.clear('device', 7000)).be.false()
  })

  it('are acknowledged one by one, too, and only as they were seen', () => {
    const alarms = new Alarms()
    alarms.raise('device', 'cable', 1)
    alarms.raise('plc', 'no PLC', 2)
    should(alarms.acknowledge(3, { key: 'plc', text: 'no PLC' })).equal(1)
    should(states(alarms)).eql(['cable: active', 'no PLC: acknowledged'])
    alarms.raise('device', 'starting', 4)
    should(alarms.acknowledge(5, { key: 'device', text: 'cable' })).equal(1)
    should(states(alarms)).eql(['starting: active', 'no PLC: acknowledged', 'cable: over'])
    should(alarms.acknowledge(6, { key: 'device', text: 'cable' })).equal(0)
    should(alarms.open).equal(1)
  })

  it('are counted while they last or nobody has seen them, instead of filling the list', () => {
    const alarms = new Alarms()
    should(alarms.raise('cycle', 'no picture', 1)).be.true()
    should(alarms.raise('cycle', 'no picture', 2)).be.false()
    for (let at = 3; at < 100; at++) alarms.note('missed', 'missed a trigger', at)
    should(alarms.all.map(({ text, count }) => [text, count])).eql([
      ['no picture', 2],
      ['missed a trigger', 97],
    ])
  })

  it('of one key end when another text is raised', () => {
    const alarms = new Alarms()
    alarms.raise('cycle', 'too slow', 1)
    alarms.raise('cycle', 'no picture', 2)
    should(states(alarms)).eql(['no picture: active', 'too slow: gone'])
  })

  it('are never more than the bound, and those that somebody needs stay longest', () => {
    const alarms = new Alarms()
    alarms.raise('device', 'cable', 0)
    for (let at = 1; at <= 3 * mostAlarms; at++) {
      alarms.note('event', `event ${at}`, at)
      if (at % 2) alarms.acknowledge(at)
    }
    should(alarms.all.length).equal(mostAlarms)
    should(alarms.all[0]?.text).equal('cable')
  })

  it('with another number in their text are one alarm, acknowledged as it was seen', () => {
    const alarms = new Alarms()
    should(alarms.raise('cycle', 'took 812 ms', 1)).be.true()
    should(alarms.raise('cycle', 'took 1815.3 ms', 2)).be.false()
    alarms.clear('cycle', 3)
    alarms.raise('cycle', 'took 7 ms', 4)
    should(alarms.all.map(({ text, count }) => [text, count])).eql([['took 7 ms', 3]])
    should(alarms.acknowledge(5, { key: 'cycle', text: 'took 812 ms' })).equal(1)
  })

  it('with 20,000 different numbers in their texts take no more room than one, and evict nobody', () => {
    const alarms = new Alarms()
    alarms.raise('plc', 'no PLC', 0)
    alarms.raise('cycle', 'took 1 ms', 1)
    const before = JSON.stringify(alarms.all).length
    for (let at = 2; at <= 20_000; at++) {
      alarms.raise('cycle', `took ${at}.${at % 7} ms`, at)
      if (at % 3 === 0) alarms.clear('cycle', at)
    }
    should(alarms.all.map(({ text, count }) => [text, count])).eql([
      ['no PLC', 1],
      ['took 20000.1 ms', 20_000],
    ])
    JSON.stringify(alarms.all).length.should.be.below(before + 100)
  })

  it('with ever other texts forget none that nobody has acknowledged, of whatever key', () => {
    const alarms = new Alarms()
    alarms.note('missed', 'missed a trigger', 0)
    alarms.raise('plc', 'no PLC', 1)
    alarms.raise('device', 'cable', 2)
    alarms.acknowledge(3, { key: 'device', text: 'cable' })
    const word = (at: number) => Array.from(String(at), (digit) => 'abcdefghij'[Number(digit)]).join('')
    for (let at = 4; at < 2000; at++) alarms.raise('node x', `failed: ${word(at)}`, at)
    should(alarms.all.length).equal(mostAlarms)
    should(alarms.all.slice(0, 3).map((alarm) => `${alarm.text}: ${stateOf(alarm)}`)).eql([
      'missed a trigger: gone',
      'no PLC: active',
      'cable: acknowledged',
    ])
    should(alarms.all.reduce((sum, { count }) => sum + count, 0)).equal(3 + 1996)
    should(alarms.open).equal(mostAlarms - 1)
  })

  it('of a key are active at most once, whatever happens', () => {
    const step = fc.record({
      what: fc.constantFrom('raise' as const, 'clear' as const, 'note' as const, 'acknowledge' as const),
      key: fc.constantFrom('a', 'b'),
      text: fc.constantFrom('x', 'y'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const alarms = new Alarms()
        steps.forEach(({ what, key, text }, at) => {
          if (what === 'clear') alarms.clear(key, at)
          else if (what === 'acknowledge') alarms.acknowledge(at)
          else alarms[what](key, text, at)
        })
        for (const key of ['a', 'b'])
          should(
            alarms.all.filter((alarm) => alarm.key === key && alarm.gone === undefined).length,
          ).be.within(0, 1)
      }),
      { seed: 7 },
    )
  })
})
