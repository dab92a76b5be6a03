import should from 'should'
import { VisionError } from '../../lib/client/vision-error'
import { followLogs } from '../../lib/logs/follow'
import { pacer, RateLimit, logLine } from '../../lib/logs/follow-options'

describe('the pause between two reads', () => {
  const pause = pacer({ shortest: 100, longest: 400, random: () => 0.5 })

  it('is short while there are entries, and grows to its limit while there are none', () => {
    pause('entries').should.equal(100)
    const pauses = [1, 2, 3, 4, 5].map(() => pause('none'))
    pauses.should.eql([150, 225, 337.5, 400, 400])
    pause('entries').should.equal(100)
  })

  it('is zero while there is more to read, and at least the requested one after a failure', () => {
    pause('behind').should.equal(0)
    pause('failed').should.equal(100)
    pause('failed').should.equal(200)
    pause('failed', 2000).should.equal(2000)
  })
})

describe('the log follower', () => {
  for (const [asked, waited] of [
    [7, 7000],
    [86_400, 300_000],
    [1e12, 300_000],
  ] as const)
    it(`waits ${waited} ms if a device asks for ${asked} s`, async () => {
      const limited = new VisionError({
        code: 'RATE_LIMITED',
        key: 'rate-limited',
        cause: { retryAfter: asked },
      })
      const refuse = () => Promise.reject(limited)
      const first = await new Promise<number>((resolve) => {
        const follower = followLogs(
          {
            source: { listLogs: refuse, getLog: refuse },
            wait: (milliseconds) => {
              resolve(milliseconds)
              return follower.close()
            },
          },
          { onEntries: () => undefined, onGap: () => undefined },
        )
      })
      first.should.equal(waited)
    })
})

describe('the rate limit', () => {
  it('lets so many pass in each period, and reports at its end how many it held back', () => {
    let now = 0
    const limit = new RateLimit({ entries: 2, seconds: 10 }, () => now)
    const take = (level: string) =>
      limit.take(logLine('a.log', { level, component: '', message: '', timestamp: 0 }))
    ;[take('INFO'), take('INFO'), take('INFO'), take('ERROR')].should.eql([true, true, false, false])
    should(limit.report()).be.undefined()
    limit.wait.should.equal(10_000)
    now = 10_000
    take('INFO').should.be.true()
    should(limit.report()).eql({ entries: 2, levels: { INFO: 1, ERROR: 1 }, logs: { 'a.log': 2 } })
    should(limit.report()).be.undefined()
    limit.wait.should.equal(Infinity)
  })
})
