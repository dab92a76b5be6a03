import 'should'
import { renderJson } from '../../lib/codec/json'
import { jsonTextSteps } from '../../nodes/shared/admin'
import { withoutSecrets } from '../../nodes/device-config/diagnostics/secrets'

function inSteps<Result>(work: Generator<undefined, Result>): { value: Result; count: number } {
  for (let count = 0; ; count++) {
    const { done, value } = work.next()
    if (done) return { value, count }
  }
}

describe('a big diagnostics file', () => {
  it('is written in steps of one value each, with the same content as at once', () => {
    const entry = { message: 'fps set to "25"', timestamp: 1.5, ok: true, none: null, left: undefined }
    const values = [
      new Array<object>(1000).fill(entry),
      { log: [entry], empty: [], also: {} },
      'é',
      1,
      null,
      [],
      {},
    ]
    const { value, count } = inSteps(jsonTextSteps(values))
    value.text.should.equal(renderJson(values))
    count.should.be.aboveOrEqual(4 * 1000)
  })

  it('contains the beginning of a long text, and no part of a secret at the cut', () => {
    const secret = 'pl4nted pl4nted pl4nted'
    const text = (before: number) => 'ab '.repeat(before / 3) + secret + ' cd'.repeat(200_000)
    const told = (given: string) => inSteps(withoutSecrets([given], [secret])).value as [string]
    for (let before = 65_490; before < 65_560; before += 9) {
      const [cleaned] = told(text(before))
      cleaned.should.startWith('ab ab')
      cleaned.length.should.be.within(65_000, 66_000)
      cleaned.includes('pl4n').should.be.false()
    }
    for (let before = 69_600; before < 70_000; before += 15)
      told(text(before))[0].includes('pl4n').should.be.false()
  })
})
