import 'should'
import { pacer, type Pacer, type Pacing } from '../../lib/streams/pacing'
import { eventually } from '../support/eventually'
import { MovedClock } from '../support/moved-clock'

describe('the pace of a stream', () => {
  const open: Pacer<number>[] = []
  afterEach(() => {
    for (const each of open.splice(0)) each.close()
  })

  function paced(pacing: Pacing) {
    const sent: { messages: number[]; at: number }[] = []
    const made = pacer<number>(pacing, (messages) => sent.push({ messages, at: performance.now() }))
    open.push(made)
    return { ...made, sent, all: () => sent.map(({ messages }) => messages) }
  }
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

  it('passes every message at once', () => {
    const { take, all, skipped } = paced({ send: 'every' })
    for (const message of [1, 2, 3]) take(message)
    all().should.deepEqual([[1], [2], [3]])
    skipped().should.equal(0)
  })

  it('sends the first at once and then the newest, never faster than configured', async () => {
    const clock = new MovedClock(1)
    try {
      const { take, sent, all, skipped } = paced({ send: 'rate', rate: 50 })
      for (const message of [1, 2, 3]) take(message)
      all().should.deepEqual([[1]])
      await clock.move(25)
      take(4)
      await clock.move(25)
      sent.should.deepEqual([
        { messages: [1], at: 0 },
        { messages: [3], at: 20 },
        { messages: [4], at: 40 },
      ])
      skipped().should.equal(1)
    } finally {
      clock.stop()
    }
  })

  it('collects as many as make a batch', () => {
    const { take, all } = paced({ send: 'batch', count: 2 })
    for (const message of [1, 2, 3, 4, 5]) take(message)
    all().should.deepEqual([
      [1, 2],
      [3, 4],
    ])
  })

  it('collects for a time, from the first message on', async () => {
    const { take, all } = paced({ send: 'batch', seconds: 0.02 })
    for (const message of [1, 2, 3]) take(message)
    all().should.be.empty()
    await eventually(() => all().should.deepEqual([[1, 2, 3]]))
  })

  it('completes a batch by whichever comes first', async () => {
    const { take, all } = paced({ send: 'batch', count: 2, seconds: 0.02 })
    for (const message of [1, 2, 3]) take(message)
    all().should.deepEqual([[1, 2]])
    await eventually(() => all().should.deepEqual([[1, 2], [3]]))
  })

  it('never collects more than memory can hold', () => {
    const { take, all } = paced({ send: 'batch', seconds: 3600 })
    for (let message = 0; message < 100_001; message++) take(message)
    all()
      .map(({ length }) => length)
      .should.deepEqual([100_000])
  })

  it('leaves no timer', () => {
    const before = timers()
    for (const pacing of [
      { send: 'rate', rate: 0.01 },
      { send: 'batch', seconds: 3600 },
    ] as const) {
      const { take, close } = paced(pacing)
      for (const message of [1, 2]) take(message)
      timers().should.equal(before + 1)
      close()
      timers().should.equal(before)
    }
  })
})
