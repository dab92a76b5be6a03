import 'should'
import should from 'should'
import type { Parameter } from '../../lib/contract'
import { acceptedValue } from '../../nodes/set-parameter/set-parameter'
import { choices } from '../../lib/contract/reading/values'

const fps: Parameter = {
  name: 'fps',
  type: 'float64',
  value: 25,
  default: 25,
  min: 1,
  max: 25,
  description: '',
}
const count: Parameter = { ...fps, name: 'count', type: 'int32' }
const flag: Parameter = {
  name: 'exp_auto',
  type: 'bool',
  value: true,
  default: true,
  min: false,
  max: true,
  description: '',
}
const quality: Parameter = {
  name: 'quality',
  type: 'string',
  value: 'High',
  default: 'High',
  description: 'Density of the depth image: [Low, Medium, High, Full]',
}

describe('the check of a value against the record of its parameter', () => {
  it('passes what the device accepts', () => {
    should(acceptedValue(fps, 10)).equal(10)
    should(acceptedValue(count, 3)).equal(3)
    should(acceptedValue(flag, false)).equal(false)
    should(acceptedValue(quality, 'Full')).equal('Full')
  })

  it('accepts text that can only mean a number, true or false', () => {
    should(acceptedValue(fps, '2.5')).equal(2.5)
    should(acceptedValue(count, ' 3 ')).equal(3)
    should(acceptedValue(flag, 'true')).equal(true)
    should(acceptedValue(flag, 'false')).equal(false)
  })

  const refused: [string, Parameter, unknown, RegExp][] = [
    ['a number above the limit', fps, 99, /fps cannot be 99. It must be between 1 and 25/],
    ['a number below the limit', fps, 0.5, /between 1 and 25/],
    ['a fraction for an integer', count, 2.5, /type int32/],
    ['no finite number', fps, NaN, /type float64/],
    ['text that is no number', fps, 'fast', /expects .* but got "fast"/],
    ['empty text for a number', fps, '', /type float64/],
    ['true for a number', fps, true, /type float64/],
    ['null', fps, null, /type float64/],
    ['1 for a bool', flag, 1, /type bool/],
    ['a number for text', quality, 5, /type string/],
    [
      'a choice that is not listed',
      quality,
      'Ultra',
      /"Ultra". Choose one of these: Low, Medium, High, Full/,
    ],
    ['more than the type holds', { ...count, min: null, max: null, type: 'uint8' }, 256, /between 0 and 255/],
    [
      'less than the type holds',
      { ...count, min: null, max: null, type: 'int8' },
      -129,
      /between -128 and 127/,
    ],
  ]
  for (const [what, record, value, message] of refused) {
    it(`refuses ${what} and says why`, () =>
      (() => acceptedValue(record, value)).should.throw(message, { code: 'INVALID_INPUT' }))
  }

  it('leaves an unknown type to the device', () =>
    should(acceptedValue({ ...fps, type: 'matrix' }, [1])).eql([1]))
})

describe('choices', () => {
  it('are read from the brackets in the description', () =>
    should(choices(quality)).eql(['Low', 'Medium', 'High', 'Full']))

  it('are not read from brackets without the default', () =>
    should(choices({ ...quality, description: 'Id of the tag [family, number]' })).be.undefined())

  it('are not read from limits of numbers', () =>
    should(choices({ ...fps, description: 'Rate [1, 25]' })).be.undefined())
})
