import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import should from 'should'
import { VisionError } from '../../lib/client/vision-error'
import type { LogEntry } from '../../lib/contract'
import { followLogs } from '../../lib/logs/follow'
import { entry, follow, numbered, numbersFrom } from './followed-by-hand'

describe('following a log', () => {
  const old = numbered(0, 100)

  it('requests no more lines than prove that nothing is missing', async () => {
    const { look, follower } = follow(old, { start: 'now' })
    ;(await look([...old, ...numbered(100, 103)])).should.eql({ came: [100, 101, 102], limits: [16] })
    await look()
    await look()
    // The list of logs shows no change.
    ;(await look()).should.eql({ came: [], limits: [] })
    const { came, limits } = await look([...old, ...numbered(100, 400)])
    came.length.should.equal(297)
    limits.should.eql([16, 64, 256, 1024])
    await follower.close()
  })

  it('says why it cannot tell whether something is missing', async () => {
    const { look, follower } = follow(old, { most: 100 })
    ;(await look(numbered(0, 500))).came.should.eql(['overrun', ...numbersFrom(400, 500)])
    ;(await look(numbered(600, 610))).came.should.eql(['replaced', ...numbersFrom(600, 610)])
    ;(await look(numbered(400, 500))).came.should.eql(['replaced'])
    const equal = Array<LogEntry>(200).fill(entry(700))
    ;(await look([...numbered(400, 500), ...equal])).came.should.eql([
      'overrun',
      ...Array<number>(100).fill(700),
    ])
    ;(await look([...equal, entry(700), entry(701)])).came.should.eql(['uncountable', 701])
    await follower.close()
  })

  it('does not deliver reappearing entries again', async () => {
    const { look, follower } = follow(old)
    ;(await look([...old, ...numbered(100, 105)])).came.length.should.equal(5)
    ;(await look([...old, ...numbered(100, 102)])).came.should.eql(['replaced'])
    ;(await look([...old, ...numbered(100, 107)])).came.should.eql(['returned', 105, 106])
    ;(await look([...old, ...numbered(100, 108)])).came.should.eql([107])
    await follower.close()
  })

  it('counts identical entries of one moment', async () => {
    const { look, follower } = follow(old)
    const equal = (count: number) => [...old, ...Array<LogEntry>(count).fill(entry(200))]
    ;(await look(equal(40))).came.should.eql(Array(40).fill(200))
    ;(await look(equal(1000))).came.should.eql(Array(960).fill(200))
    ;(await look([...equal(1000), entry(201)])).came.should.eql([201])
    await follower.close()
  })

  it('does not take equal entries of one moment as proof, because more of them may have come and gone', async () => {
    const { look, follower } = follow(old, { most: 100 })
    const equal = (count: number) => Array<LogEntry>(count).fill(entry(200))
    ;(await look([...old, ...equal(20)])).came.should.eql(Array(20).fill(200))
    const { came } = await look([...old, ...equal(500), ...numbered(300, 399)])
    came.should.eql(['uncountable', ...numbersFrom(300, 399)])
    await follower.close()
  })

  it('looks further back if the known entries match in several positions', async () => {
    const { look, follower } = follow(old)
    // A clock that is set back repeatedly, and a device that writes the same each time.
    const again = (times: number) => Array.from({ length: times }, () => numbered(300, 308)).flat()
    ;(await look([...old, ...again(3)])).came.length.should.equal(24)
    ;(await look([...old, ...again(6)])).came.length.should.equal(24)
    await follower.close()
  })

  it('continues after an interruption, and reports its state', async () => {
    const { state, states, look, follower } = follow(old)
    await look()
    state.isAway = true
    ;(await look(numbered(0, 110))).came.should.eql([])
    states.should.eql(['following', 'failing'])
    state.isAway = false
    // Everything remembered must be found again.
    ;(await look()).should.eql({ came: numbersFrom(100, 110), limits: [128] })
    states.should.eql(['following', 'failing', 'following'])
    await follower.close()
  })

  it('notices that a device lost entries of an earlier answer before they could be aligned', async () => {
    const { state, look, follower } = follow(old)
    await look()
    state.awayAbove = 16
    ;(await look([...old, ...numbered(100, 400)])).came.should.eql([])
    state.awayAbove = Infinity
    ;(await look([...old, ...numbered(100, 390)])).came.should.eql(['replaced', ...numbersFrom(100, 390)])
    await follower.close()
  })

  it('requests less if the client does not accept an answer of that length', async () => {
    const { state, look, follower } = follow(old, { most: 1000 })
    state.longest = 200
    ;(await look(numbered(0, 220))).came.should.eql(numbersFrom(100, 220))
    await follower.close()
  })

  it('loses nothing of a log that begins anew while a long entry limits what can be read', async () => {
    const { state, look, follower } = follow(old, { most: 1000 })
    await look()
    state.longest = 50
    state.refused = () => {
      state.longest = Infinity
      state.entries = numbered(1000, 1600)
    }
    ;(await look(numbered(200, 600))).came.should.eql(['replaced', ...numbersFrom(1000, 1600)])
    await follower.close()
  })

  it('asks once more where too long an answer leaves a gap, and is content with what can be read', async () => {
    const { state, look, follower } = follow(old, { most: 1000 })
    await look()
    state.longest = 50
    const { came, limits } = await look(numbered(200, 600))
    came[0]?.should.equal('overrun')
    Number(came.at(-1)).should.equal(599)
    limits.filter((limit) => limit > 50).length.should.be.within(2, 3)
    limits.length.should.be.below(8)
    await follower.close()
  })

  it('aborts a read in progress on close, and calls nothing afterwards', async () => {
    const asked = new AbortController()
    const follower = followLogs(
      {
        source: {
          listLogs: () => Promise.resolve([{ name: 'a.log', date: 0 }]),
          getLog: async (_input, { signal }) => {
            asked.abort()
            await once(signal, 'abort')
            throw new VisionError({ code: 'ABORTED', key: 'aborted' })
          },
        },
        log: 'a.log',
      },
      {
        onEntries: () => should.fail('entries', 'nothing', undefined, ''),
        onGap: () => should.fail('gap', 'nothing', undefined, ''),
        onState: () => should.fail('state', 'nothing', undefined, ''),
      },
    )
    if (!asked.signal.aborted) await once(asked.signal, 'abort')
    await follower.close()
    await turn()
  })
})
