import 'should'
import { number } from '../../nodes/shared/number'
import { deviceConfigNode } from '../../nodes/device-config/fields'
import { defaultsOf } from '../../nodes/shared/fields/fields-of'
import { deviceNumbers } from '../../nodes/device-config/device-numbers'

describe('a number of a setting', () => {
  it('is taken from its least to its most, as a number or as text', () => {
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

  it('of a device has a most', () => {
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
