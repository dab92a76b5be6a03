import 'should'
import { Replies, type Verdict } from '../../lib/kernel/replies'
import { seededRandom } from '../../virtual-device/values'

describe('pending replies', () => {
  it('accept one reply, with the token of the question', async () => {
    const replies = new Replies<string>()
    const { token, reply } = replies.ask()
    replies.open.should.deepEqual([token])
    replies.reply(token, 'yes').should.equal('accepted')
    ;(await reply).should.equal('yes')
    replies.reply(token, 'no').should.equal('duplicate')
    replies.open.should.deepEqual([])
  })

  it('give each reply that does not count its own verdict', async () => {
    const replies = new Replies<string>()
    const late = replies.ask({ within: 1 })
    const withdrawn = replies.ask()
    withdrawn.withdraw()
    await late.reply.should.be.rejectedWith({ code: 'TIMEOUT', message: /within 0.001 s/ })
    await withdrawn.reply.should.be.rejectedWith({ code: 'ABORTED' })
    replies.reply(late.token, 'yes').should.equal('late')
    replies.reply(withdrawn.token, 'yes').should.equal('withdrawn')
    replies.reply('yesterday', 'yes').should.equal('foreign')
    for (const none of [undefined, null, '']) replies.reply(none, 'yes').should.equal('missing')
    for (const odd of [{}, [late.token], true, 1n, Symbol('yes')])
      replies.reply(odd, 'yes').should.equal('foreign')
  })

  it('refuse what comes before anybody can have read the question, and leave it open', () => {
    let now = 1000
    const replies = new Replies<boolean>({ now: () => now })
    const { token } = replies.ask({ minimumAge: 700 })
    for (const age of [0, 50, 150, 400, 699]) {
      now = 1000 + age
      replies.reply(token, true).should.equal('too-early')
    }
    now = 1700
    replies.reply(token, true).should.equal('accepted')
  })

  it('are withdrawn by their signal, with its reason', async () => {
    const replies = new Replies<string>()
    const ending = new AbortController()
    const { token, reply } = replies.ask({ signal: ending.signal })
    ending.abort(Object.assign(new Error('stopped'), { code: 'STOPPED' }))
    await reply.should.be.rejectedWith({ code: 'STOPPED' })
    replies.reply(token, 'yes').should.equal('withdrawn')
    const never = replies.ask({ signal: ending.signal })
    await never.reply.should.be.rejectedWith({ code: 'STOPPED' })
    replies.reply(never.token, 'yes').should.equal('withdrawn')
  })

  it('are dropped together by a stop, and asked no more after the close', async () => {
    const replies = new Replies<string>()
    const [one, other] = [replies.ask(), replies.ask()]
    replies.drop(Object.assign(new Error('stopped'), { code: 'STOPPED' })).should.equal(2)
    await one.reply.should.be.rejectedWith({ code: 'STOPPED' })
    await other.reply.should.be.rejectedWith({ code: 'STOPPED' })
    const again = replies.ask()
    replies.close()
    await again.reply.should.be.rejectedWith({ code: 'ABORTED' })
    await replies.ask().reply.should.be.rejectedWith({ code: 'ABORTED' })
    replies.open.should.deepEqual([])
  })

  it('take the tokens of others, each as often as its question is closed', async () => {
    const replies = new Replies<string>()
    const first = replies.ask({ token: '7' })
    ;(() => replies.ask({ token: '7' })).should.throw(RangeError)
    replies.reply(7, 'one').should.equal('accepted')
    ;(await first.reply).should.equal('one')
    replies.reply('7', 'one').should.equal('duplicate')
    const second = replies.ask({ token: '7' })
    replies.reply('7', 'two').should.equal('accepted')
    ;(await second.reply).should.equal('two')
  })

  it('remember a bounded number of closed questions', () => {
    const replies = new Replies<string>({ remembered: 3 })
    const tokens = ['a', 'b', 'c', 'd']
    for (const token of tokens) {
      replies.ask({ token })
      replies.reply(token, 'yes')
    }
    tokens
      .map((token) => replies.reply(token, 'yes'))
      .should.deepEqual(['foreign', 'duplicate', 'duplicate', 'duplicate'])
  })

  it('settle each question once, whatever comes in whatever order', async () => {
    const random = seededRandom(35)
    let now = 0
    for (let round = 0; round < 200; round++) {
      const replies = new Replies<number>({ now: () => now })
      const settled: string[] = []
      const asked: string[] = []
      const verdicts: Verdict[] = []
      for (let step = 0; step < 30; step++) {
        const kind = Math.floor(random() * 5)
        const token = asked[Math.floor(random() * asked.length)]
        now += Math.floor(random() * 400)
        if (kind === 0) {
          const { token: own, reply } = replies.ask({ minimumAge: 700 })
          asked.push(own)
          reply.then(
            () => settled.push(own),
            () => settled.push(own),
          )
        } else if (kind === 4) replies.drop()
        else verdicts.push(replies.reply(token, step))
      }
      replies.close()
      await new Promise(setImmediate)
      settled.toSorted().should.deepEqual(asked.toSorted())
      verdicts.filter((each) => each === 'accepted').length.should.be.belowOrEqual(asked.length)
    }
  })
})
