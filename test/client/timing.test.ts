import fc from 'fast-check'
import should from 'should'
import { Deadlines, type Expiring } from '../../lib/client/deadlines'
import { waitBefore } from '../../lib/client/repeat'
import { TokenBucket } from '../../lib/client/token-bucket'

const seed = { seed: 20250117 }

/** A clock that is moved by hand, with the ticks that a timer would produce. */
function manualTicker() {
  let time = 1000
  let tick: (() => void) | undefined
  let step = 0
  return {
    now: () => time,
    every: (milliseconds: number, callback: () => void) => {
      step = milliseconds
      tick = callback
      return () => (tick = undefined)
    },
    runs: () => tick !== undefined,
    advance: (milliseconds: number) => {
      for (const end = time + milliseconds; time < end;) {
        time += Math.min(step || milliseconds, end - time)
        tick?.()
      }
    },
  }
}

const noting = (into: number[]): Expiring => ({ expire: (now) => into.push(now) })

describe('deadlines', () => {
  it('never fire early, and at most 100 ms late', () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }),
      (delays) => {
        const ticker = manualTicker()
        const deadlines = new Deadlines(ticker)
        const lateness = delays.map((delay) => {
          const came: number[] = []
          const at = ticker.now() + delay
          deadlines.set(noting(came), at)
          return () => {
            came.should.have.length(1)
            should((came[0] ?? 0) - at).be.within(0, 50)
          }
        })
        ticker.advance(10_200)
        for (const check of lateness) check()
        ticker.runs().should.be.false()
      },
    )
    fc.assert(property, { ...seed, numRuns: 30 })
  })

  it('do not fire once they are removed, and move when they are set again', () => {
    const ticker = manualTicker()
    const deadlines = new Deadlines(ticker)
    const came: number[] = []
    const [removed, moved] = [noting(came), noting(came)]
    deadlines.set(removed, ticker.now() + 100)
    deadlines.set(moved, ticker.now() + 100)
    deadlines.set(moved, ticker.now() + 1000)
    deadlines.remove(removed)
    deadlines.remove(removed)
    ticker.advance(900)
    came.should.be.empty()
    ticker.advance(200)
    came.should.have.length(1)
  })

  it('may be set and removed while others fire', () => {
    const ticker = manualTicker()
    const deadlines = new Deadlines(ticker)
    const came: number[] = []
    const second = noting(came)
    deadlines.set({ expire: () => deadlines.remove(second) }, ticker.now() + 100)
    deadlines.set(second, ticker.now() + 100)
    deadlines.set({ expire: (now) => deadlines.set(noting(came), now) }, ticker.now() + 100)
    ticker.advance(300)
    came.should.have.length(1)
  })

  it('leave no timer behind when there are none', () => {
    const ticker = manualTicker()
    const deadlines = new Deadlines(ticker)
    const entry = noting([])
    ticker.runs().should.be.false()
    deadlines.set(entry, ticker.now() + 5000)
    ticker.runs().should.be.true()
    deadlines.remove(entry)
    ticker.advance(50)
    ticker.runs().should.be.false()
  })

  it('keep nothing of finished calls, however long their deadlines are', () => {
    const ticker = manualTicker()
    const deadlines = new Deadlines(ticker)
    const waiting = noting([])
    deadlines.set(waiting, ticker.now() + 3_600_000)
    for (let call = 0; call < 200; call++) {
      const entry = noting([])
      deadlines.set(entry, ticker.now() + 600_000)
      ticker.advance(100)
      deadlines.remove(entry)
    }
    should(Reflect.get(deadlines, 'slots')).have.size(1)
    deadlines.remove(waiting)
  })

  it('fire at once after the clock stood still, as on a suspended machine', () => {
    const ticker = manualTicker()
    let slept = 0
    const deadlines = new Deadlines({ ...ticker, now: () => ticker.now() + slept })
    const came: number[] = []
    deadlines.set(noting(came), ticker.now() + 5000)
    slept = 3_600_000
    ticker.advance(50)
    came.should.have.length(1)
  })
})

describe('the wait before a repetition', () => {
  it('is random up to a limit that doubles, to five seconds', () => {
    const longest = [1, 2, 3, 4, 5, 6, 7].map((count) => waitBefore(count, undefined, () => 1))
    longest.should.eql([200, 400, 800, 1600, 3200, 5000, 5000])
    waitBefore(5, undefined, () => 0).should.equal(0)
  })

  it('is the time that the device asks for, without randomness', () =>
    waitBefore(1, 2.5, () => 0).should.equal(2500))
})

describe('the bucket of repetitions', () => {
  it('allows a burst, and then so many per second', () => {
    let now = 0
    const bucket = new TokenBucket(3, 2, () => now)
    const taken = () => Array.from({ length: 5 }, () => bucket.take()).filter(Boolean).length
    taken().should.equal(3)
    now += 1000
    taken().should.equal(2)
    now += 60_000
    taken().should.equal(3)
  })
})
