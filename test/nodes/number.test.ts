import 'should'
import { shortestInterval } from '../../lib/kernel/timers'
import { getStatusNode } from '../../nodes/get-status/fields'
import { streamReceiveNode } from '../../nodes/stream-receive/fields'
import { number } from '../../nodes/shared/read-fields'
import { deviceConfigNode } from '../../nodes/device-config/fields'
import { defaultsOf } from '../../nodes/shared/fields/checked-fields'
import { deviceNumbers } from '../../nodes/device-config/deployed-device'

describe('a number in a setting', () => {
  it('is accepted between its bounds, as a number or as text', () => {
    for (const [given, value] of [
      [1, 1],
      ['3600', 3600],
      [' 2.5 ', 2.5],
    ] as const)
      number('interval', given, 1, 3600).should.equal(value)
  })

  for (const given of [0.5, 3601, '2147484', 2 ** 31, 1e300, Infinity, '-Infinity', NaN, '', null, 'often'])
    it(`is refused as ${String(given)}, with both bounds`, () =>
      (() => number('interval', given, 1, 3600)).should.throw({
        code: 'INVALID_INPUT',
        message: /interval.*from 1 to 3600/,
      }))

  it('may be 0 below its minimum only if that switches something off', () => {
    number('interval', '0', 0.02, 3600, true).should.equal(0)
    number('interval', 0.02, 0.02, 3600, true).should.equal(0.02)
    for (const given of [0.0001, '0.019', -1, 3601])
      (() => number('interval', given, 0.02, 3600, true)).should.throw({
        code: 'INVALID_INPUT',
        message: /interval must be 0 or a number from 0\.02 to 3600/,
      })
  })

  it('that is an interval is never shorter than the timers allow', () => {
    for (const { least, most, zero } of [
      getStatusNode.fields.interval,
      streamReceiveNode.fields.statistics,
    ]) {
      zero.should.be.true()
      most.should.be.above(least)
      least.should.equal(shortestInterval / 1000)
    }
  })

  it('of a device has a maximum', () => {
    const byDefault = defaultsOf(deviceConfigNode)
    const numeric = Object.entries(byDefault).flatMap(([name, value]) =>
      typeof value === 'number' ? [name] : [],
    )
    numeric.should.not.be.empty()
    for (const name of numeric) {
      const fields = { ...byDefault, [name]: 2_147_484 }
      ;(() => deviceNumbers(fields)).should.throw({ code: 'INVALID_INPUT', message: new RegExp(name) })
    }
  })
})
