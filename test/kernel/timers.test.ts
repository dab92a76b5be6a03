import should from 'should'
import {
  inSlices,
  abortedAfter,
  longestTimer,
  shortestInterval,
  sleep,
  startInterval,
  startTimeout,
} from '../../lib/kernel/timers'
import { lintPlanted } from '../support/planted'

/** Values that Node.js turns into a timer of 1 ms. */
const tooLong = [2 ** 31, 2_147_483.648 * 1000, 1e15, Infinity, NaN]

describe('timers', () => {
  for (const milliseconds of tooLong)
    it(`of ${milliseconds} ms run as long as a timer can`, async () => {
      const ended = new AbortController()
      const rung: string[] = []
      const timeout = startTimeout(() => rung.push('timeout'), milliseconds)
      const interval = startInterval(() => rung.push('interval'), milliseconds)
      const pause = sleep(milliseconds, ended.signal).then(
        () => rung.push('sleep'),
        (error: unknown) => error,
      )
      const signal = abortedAfter(milliseconds)
      try {
        // Later than any timer of 1 ms that was started before it.
        await sleep(5)
        rung.should.eql([])
        signal.aborted.should.be.false()
        should(timeout).have.property('_idleTimeout', longestTimer)
        should(interval).have.property('_idleTimeout', longestTimer)
      } finally {
        clearTimeout(timeout)
        clearInterval(interval)
        ended.abort()
      }
      should(await pause).have.property('name', 'AbortError')
    })

  it('repeat at intervals of at least 20 ms, however small the number is', () => {
    for (const given of [0.1, 0, -1, 1]) {
      const interval = startInterval(() => undefined, given)
      const { _idleTimeout: milliseconds } = interval as unknown as { _idleTimeout: number }
      clearInterval(interval)
      should(milliseconds).equal(shortestInterval)
    }
  })

  it('fire after the given time', async () => {
    const order: number[] = []
    await Promise.all([20, 1].map((time) => sleep(time).then(() => order.push(time))))
    order.should.eql([1, 20])
  })

  it('are started by no other function: lint reports it', async () => {
    const folders = ['lib/client', 'lib/logs', 'nodes/get-status', 'nodes/shared', 'virtual-device/server']
    const texts = [
      'setTimeout(() => undefined, 1)\n',
      'globalThis.setInterval(() => undefined, 1)\n',
      'AbortSignal.timeout(1)\n',
      "import { setTimeout as sleep } from 'node:timers/promises'\nvoid sleep(1)\n",
      "import { setInterval } from 'node:timers'\nsetInterval(() => undefined, 1)\n",
      "new RegExp('a')\n",
    ]
    const forbidden = folders.flatMap((folder) => texts.map((text) => ({ folder, text })))
    const allowed = [{ folder: 'lib/logs', text: "import { setImmediate } from 'node:timers/promises'\n" }]
    const found = await lintPlanted([...forbidden, ...allowed])
    forbidden.filter((_, index) => !found[index]?.length).should.deepEqual([])
    found.slice(forbidden.length).should.deepEqual([[]])
  }).timeout(60_000)
})

describe('work in slices', () => {
  it('gives its result, and what it throws', async () => {
    function* counting(most: number) {
      for (let count = 0; count < most; count++) yield
      if (most > 5) throw new RangeError('too many')
      return most
    }
    should(await inSlices(counting(3))).equal(3)
    await inSlices(counting(6)).should.be.rejectedWith(RangeError)
  })

  it('lets other work have its turn', async () => {
    let turns = 0
    const other = setInterval(() => turns++, 0)
    function* untilOthers(): Generator<undefined, number> {
      while (turns < 3) yield
      return turns
    }
    should(await inSlices(untilOthers())).be.aboveOrEqual(3)
    clearInterval(other)
  })
})
