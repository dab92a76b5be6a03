import fc from 'fast-check'
import should from 'should'
import { parseRetryAfter, restAfter } from '../../lib/client/error-answer'
import { VisionError } from '../../lib/client/vision-error'

const seed = { seed: 20250117 }
const now = Date.UTC(2025, 0, 17, 12, 0, 0)
const day = 24 * 3600 * 1000

describe('Retry-After', () => {
  it('is read in seconds', () => {
    const property = fc.property(fc.nat(), (seconds) => {
      should(parseRetryAfter(String(seconds), now)).equal(seconds)
    })
    fc.assert(property, seed)
  })

  it('is read as a date, and a past date means now', () => {
    const property = fc.property(fc.integer({ min: -day, max: day }), (distance) => {
      const date = new Date(now + distance)
      const whole = Math.floor((now + distance) / 1000) * 1000
      should(parseRetryAfter(date.toUTCString(), now)).equal(Math.max(0, (whole - now) / 1000))
    })
    fc.assert(property, seed)
  })

  it('is read in the two obsolete forms of a date', () => {
    should(parseRetryAfter('Friday, 17-Jan-25 12:01:00 GMT', now)).equal(60)
    should(parseRetryAfter('Fri Jan 17 12:01:00 2025', now)).equal(60)
  })

  it('is undefined if it is neither', () => {
    for (const text of [
      undefined,
      '',
      '-1',
      '1e9',
      'soon',
      '0x10',
      '2025-01-17',
      '17 Jan 2025',
      'Fri, 99 Jan 2025 12:00:00 GMT',
      [],
    ])
      should(parseRetryAfter(text, now)).be.undefined()
  })

  it('is always a number of seconds', () => {
    const property = fc.property(fc.string(), (text) => {
      const seconds = parseRetryAfter(text, now)
      if (seconds !== undefined) seconds.should.be.aboveOrEqual(0)
    })
    fc.assert(property, seed)
  })
})

describe('the pause that a device asks for', () => {
  const limited = (retryAfter?: number) =>
    new VisionError({
      code: 'RATE_LIMITED',
      key: 'rate-limited',
      ...(retryAfter !== undefined && { cause: { retryAfter } }),
    })

  it('is its Retry-After, up to five minutes', () => {
    restAfter(limited(0.5)).should.equal(500)
    restAfter(limited(300)).should.equal(300_000)
    for (const long of [301, 86_400, 1e12, Infinity]) restAfter(limited(long)).should.equal(300_000)
  })

  it('is zero without one, and after other errors', () => {
    for (const error of [limited(), new Error('retryAfter'), undefined]) restAfter(error).should.equal(0)
  })

  it('is a number even if the header is as long as a line', () =>
    should(parseRetryAfter('9'.repeat(400))).equal(Number.MAX_SAFE_INTEGER))
})
