import should from 'should'
import fc from 'fast-check'
import { quantity, numeralIn, unitsFor } from '../../lib/contract/reading/quantity'

const seed = 20_261_122
const fieldUnits = ['m', 'mm', 's', 'ms', '°', 'Hz', 'MiB', 'dB', 'px', '']

describe('a quantity', () => {
  const understood: [text: string, unit: string, value: number, shown?: string][] = [
    ['5 ms', 's', 0.005, '5 ms = 0.005 s'],
    ['5ms', 's', 0.005, '5ms = 0.005 s'],
    ['20 µs', 's', 0.00002, '20 µs = 0.00002 s'],
    ['20 μs', 'ms', 0.02, '20 μs = 0.02 ms'],
    ['20us', 's', 0.00002, '20us = 0.00002 s'],
    ['0.02 m', 'mm', 20, '0.02 m = 20 mm'],
    ['0.5 m', 'm', 0.5],
    ['30°', '°', 30],
    ['30 deg', '°', 30],
    ['30°', 'deg', 30],
    ['1 rad', '°', 57.2957795130823, '1 rad = 57.2957795130823 °'],
    ['2 min', 's', 120, '2 min = 120 s'],
    ['1,5', 's', 1.5, '1,5 = 1.5 s'],
    ['1,5', '', 1.5, '1,5 = 1.5'],
    ['1,5 kHz', 'Hz', 1500, '1,5 kHz = 1500 Hz'],
    ['7 MM', 'm', 0.007, '7 MM = 0.007 m'],
    ['0.066 ms', 's', 0.000066, '0.066 ms = 0.000066 s'],
    ['−5 cm', 'm', -0.05, '−5 cm = -0.05 m'],
    ['+.5e1', 's', 5],
    ['1.234', 'm', 1.234],
    ['1,2345', 'm', 1.2345, '1,2345 = 1.2345 m'],
    ['5,', 'm', 5, '5, = 5 m'],
    ['3 entries', 'entries', 3],
  ]
  for (const [text, unit, value, shown] of understood)
    it(`is understood from ${text} in a field ${unit ? `of ${unit}` : 'without a unit'}`, () => {
      const { understood: said, ...rest } = quantity(text, unit) as { value: number; understood?: string }
      rest.should.deepEqual({ value })
      should(said).equal(shown)
    })

  it('is refused with both readings if its separators are ambiguous', () => {
    const readings = (text: string) => (quantity(text, 'mm') as { readings?: unknown }).readings
    should(readings('1,234')).deepEqual(['1.234', '1234'])
    should(readings('0,005')).deepEqual(['0.005', '5'])
    should(readings('-1,234 mm')).deepEqual(['-1.234 mm', '-1234 mm'])
    should(readings('1.234,5')).deepEqual(['1234.5', '1.2345'])
    should(readings('1,234.5 m')).deepEqual(['1234.5 m', '1.2345 m'])
    should(readings('1.234.567')).deepEqual(['1234567', '1.234567'])
  })

  it('is refused with the units that fit if it has another', () => {
    should(quantity('5 kg', 's')).deepEqual({
      refused: 'unit',
      given: 'kg',
      units: ['s', 'ms', 'µs', 'min', 'h'],
    })
    should(quantity('5 m', 's')).have.property('refused', 'unit')
    should(quantity('5 ms', '')).deepEqual({ refused: 'unit', given: 'ms', units: [] })
  })

  it('is not a number without one, or with two', () => {
    for (const text of [
      '',
      ' ',
      'ms',
      '-',
      ',',
      '.',
      '1 2',
      "1'234",
      '0x10',
      '1e999',
      'NaN',
      'Infinity',
      '5 m2',
    ])
      should(quantity(text, 'm')).deepEqual({ refused: 'number' }, text)
  })

  it('keeps every number as it is that is written in the field’s unit', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom(...fieldUnits),
        fc.boolean(),
        (number, unit, isWithUnit) => {
          const text = isWithUnit ? `${String(number)} ${unit}` : String(number)
          should(quantity(text, unit)).deepEqual({ value: number + 0 })
        },
      ),
      { seed, numRuns: 500 },
    )
  })

  it('gives the same by any unit of its kind, to 12 digits', () => {
    const pairs = fieldUnits.flatMap((unit) => unitsFor(unit).map((other) => [unit, other] as const))
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.constantFrom(...pairs),
        (number, [unit, other]) => {
          const { value } = quantity(`${String(number)} ${unit}`, other) as { value: number }
          const { value: back } = quantity(`${String(value)} ${other}`, unit) as { value: number }
          back.should.be.approximately(number, number * 1e-12)
        },
      ),
      { seed, numRuns: 500 },
    )
  })

  it('is either understood as one finite number or refused, whatever is typed', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'0 1 2 3 4 5 6 7 8 9 . , + - − e E m µ s ° Hz k B €'.split(' '), ' '),
    })
    fc.assert(
      fc.property(text, fc.constantFrom(...fieldUnits), (typed, unit) => {
        const found = quantity(typed, unit)
        if ('value' in found) {
          Number.isFinite(found.value).should.be.true()
          // A comma before three digits, or a second separator, is never guessed, except that all readings of zero are
          // the same.
          if (found.value) typed.should.not.match(/,\d{3}(?!\d)|[.,]\d*[.,]/)
          const again = quantity(String(found.value), unit)
          should(again).deepEqual({ value: found.value })
        }
      }),
      { seed, numRuns: 2000 },
    )
  })

  it('looks at no more of a long text than the longest number has', () => {
    const long = `${'1,'.repeat(1_000_000)}x`
    should(quantity(long, 'm')).deepEqual({ refused: 'number' })
  })

  it('is read in one pass: each character is read a limited number of times', () => {
    const asked = (length: number) => {
      let count = 0
      const text = `${'1'.repeat(length)} mm`
      const watched = new Proxy(new String(text), {
        get: (target, name) => {
          const part: unknown = Reflect.get(target, name)
          if (name === 'charAt') count++
          return typeof part === 'function' ? (part as () => unknown).bind(target) : part
        },
      }) as unknown as string
      should(numeralIn(watched)?.rest).equal(' mm')
      return count
    }
    asked(20_000).should.be.belowOrEqual(10 * asked(2_000))
  })
})

describe('the table of units', () => {
  it('has no two units of a kind that differ by their case alone', () => {
    for (const unit of fieldUnits) {
      const names = unitsFor(unit).map((name) => name.toLowerCase())
      names.should.deepEqual([...new Set(names)])
    }
  })
})
