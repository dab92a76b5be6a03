import should from 'should'
import { readLongAnswer } from '../../lib/client/answer'

const MiB = 1024 * 1024
/** An answer that holds one text of so many bytes. */
const answer = (length: number) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`["${'x'.repeat(length)}"]`),
})

describe('long answers that arrive at the same time', () => {
  const ended: string[] = []
  afterEach(() => (ended.length = 0))
  const read = (name: string, length: number, isOver = () => false) =>
    readLongAnswer(answer(length), isOver).finally(() => ended.push(name))

  it('are decoded one after the other where they need much memory, the shortest first', async () => {
    await Promise.all([read('huge', 8 * MiB), read('another', 8 * MiB), read('half', 1.5 * MiB)])
    ended.should.eql(['huge', 'half', 'another'])
  })

  it('leave room for shorter ones', async () => {
    await Promise.all([read('huge', 8 * MiB), read('another', 8 * MiB), read('short', MiB / 8)])
    ended.indexOf('short').should.be.below(ended.indexOf('another'))
  })

  it('are not decoded once nobody waits for them', async () => {
    let isGone = false
    const first = read('first', 8 * MiB)
    const gone = read('gone', 8 * MiB, () => isGone)
    const last = read('last', 8 * MiB)
    isGone = true
    should(await gone.catch((error: unknown) => error)).have.property('name', 'AbortError')
    await Promise.all([first, last])
    ended.sort().should.eql(['first', 'gone', 'last'])
  })
})
