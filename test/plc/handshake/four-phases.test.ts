import should from 'should'
import { handshakeBench, shown } from './bench'

/** As `docs/plc-families.md` describes it. */
describe('four phases in one word', () => {
  const armed = () => {
    const bench = handshakeBench('four-phases', { minimumDone: 0 })
    bench.ready()
    return bench
  }
  const answer = (bench: ReturnType<typeof armed>, number = 1) => {
    const { token } = bench.cycles()[number - 1] ?? { token: 'none' }
    bench.send({ type: 'result', token, data: {} })
  }

  it('goes from ready over busy and done back to ready', () => {
    const bench = armed()
    const states = [shown(bench.words())]
    const look = () => states.push(shown(bench.words()))
    bench.plc({ trigger: true })
    look()
    bench.pass(40)
    answer(bench)
    look()
    bench.words().should.match({ counter: 1, duration: 40 })
    bench.pass(50)
    bench.plc({ trigger: false })
    look()
    states.should.eql(['ready 0', 'busy 0', 'done 0', 'ready 0'])
  })

  it('lets done stand beside ready after a short pulse, until the next edge', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    shown(bench.words()).should.equal('busy 0')
    answer(bench)
    shown(bench.words()).should.equal('ready done 0')
    bench.pass(60_000)
    shown(bench.words()).should.equal('ready done 0')
    bench.plc({ trigger: true })
    shown(bench.words()).should.equal('busy 0')
  })

  it('never executes a trigger that was set before it looked, and tells so', () => {
    const bench = handshakeBench('four-phases', { minimumDone: 0 })
    bench.ready({ trigger: true })
    shown(bench.words()).should.equal('error 205')
    bench.plc({ trigger: true })
    bench.cycles().should.eql([])
    bench.plc({ trigger: false })
    shown(bench.words()).should.equal('ready 205')
    bench.plc({ trigger: true })
    bench.cycles().length.should.equal(1)
  })

  it('is ready as soon as the flow is known to have ended a cycle that it had been answered for', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.send({ type: 'settled', token: bench.cycles()[0]?.token ?? '' })
    shown(bench.words()).should.equal('busy 0')
    bench.pass(5000)
    bench.plc({ trigger: false })
    shown(bench.words()).should.equal('208')
    bench.send({ type: 'settled', token: 'another' })
    shown(bench.words()).should.equal('208')
    bench.send({ type: 'settled', token: bench.cycles()[0]?.token ?? '' })
    shown(bench.words()).should.equal('ready 208')
  })

  it('answers a trigger while the device is away with its code', () => {
    const bench = armed()
    bench.send({ type: 'device', ready: false, code: 201, reason: 'unreachable' })
    shown(bench.words()).should.equal('0')
    bench.plc({ trigger: true })
    shown(bench.words()).should.equal('error 201')
    bench.cycles().should.eql([])
  })

  it('shows nobody the result of a trigger that dropped and rose meanwhile', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    bench.plc({ trigger: true })
    bench.words().missedCount.should.equal(1)
    answer(bench)
    shown(bench.words()).should.equal('error 101')
    bench.cycles().length.should.equal(1)
    bench.told().should.eql(['missed', 'undelivered'])
  })

  it('executes it afterwards where one may wait', () => {
    const bench = handshakeBench('four-phases', { whileBusy: 'queue' })
    bench.ready()
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    bench.plc({ trigger: true })
    answer(bench)
    shown(bench.words()).should.equal('busy 0')
    bench.cycles().length.should.equal(2)
    answer(bench, 2)
    shown(bench.words()).should.equal('done 0')
  })

  it('tells the PLC at the deadline, and is not ready before the flow has ended', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.pass(4999)
    shown(bench.words()).should.equal('busy 0')
    bench.pass(1)
    shown(bench.words()).should.equal('error 208')
    bench.plc({ trigger: false })
    shown(bench.words()).should.equal('208')
    answer(bench)
    shown(bench.words()).should.equal('ready 208')
    bench.told().should.eql(['no-answer', 'late'])
  })

  it('is ready some time after the deadline where the flow never ends', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.pass(5000)
    bench.plc({ trigger: false })
    bench.pass(4999)
    bench.words().ready.should.be.false()
    bench.pass(1)
    bench.words().ready.should.be.true()
    answer(bench)
    bench.told().should.eql(['no-answer', 'never-ended', 'second'])
  })

  it('drops an answer with a token that it never gave out', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.send({ type: 'result', token: 'made up', data: {} })
    shown(bench.words()).should.equal('busy 0')
    bench.told().should.eql(['foreign'])
  })

  it('ends the cycle where the trigger drops, by choice', () => {
    const bench = handshakeBench('four-phases', { onDrop: 'abort', minimumDone: 0 })
    bench.ready()
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    shown(bench.words()).should.equal('error 210')
    bench.effects('abort').should.match([{ reason: 'plc' }])
    answer(bench)
    shown(bench.words()).should.equal('ready error 210')
  })

  it('holds an answer for its least time', () => {
    const bench = handshakeBench('four-phases', { minimumDone: 100 })
    bench.ready()
    bench.plc({ trigger: true })
    answer(bench)
    bench.plc({ trigger: false })
    bench.pass(99)
    shown(bench.words()).should.equal('done 0')
    bench.pass(1)
    shown(bench.words()).should.equal('ready 0')
  })

  it('gives a PLC whose pulse ended while it was out of sight the time to read the answer', () => {
    const bench = handshakeBench('four-phases')
    bench.ready()
    bench.plc({ trigger: true })
    answer(bench)
    bench.pass(200)
    bench.plc({ trigger: false })
    bench.pass(49)
    shown(bench.words()).should.equal('done 0')
    bench.pass(1)
    shown(bench.words()).should.equal('ready 0')
  })

  it('shows the flags off for the least time before the next answer of a pulse, however fast it comes', () => {
    const bench = handshakeBench('four-phases', { minimumDone: 50 })
    bench.ready()
    const pulse = () => {
      bench.plc({ trigger: true })
      bench.plc({ trigger: false })
    }
    pulse()
    answer(bench)
    bench.pass(1000)
    shown(bench.words()).should.equal('ready done 0')
    bench.send({ type: 'device', ready: false, code: 201, reason: 'unreachable' })
    pulse()
    shown(bench.words()).should.equal('0')
    bench.pass(49)
    shown(bench.words()).should.equal('0')
    bench.pass(1)
    shown(bench.words()).should.equal('error 201')
    bench.pass(1000)
    bench.send({ type: 'device', ready: true })
    // A cycle that is faster than any look of the PLC.
    pulse()
    answer(bench, 2)
    shown(bench.words()).should.equal('busy 201')
    bench.pass(50)
    shown(bench.words()).should.equal('done 0')
  })

  it('does not show an answer to a trigger that came before it was seen', () => {
    const bench = handshakeBench('four-phases', { minimumDone: 50 })
    bench.ready()
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    answer(bench)
    bench.pass(1000)
    bench.plc({ trigger: true })
    answer(bench, 2)
    bench.plc({ trigger: false })
    bench.plc({ trigger: true })
    bench.pass(49)
    shown(bench.words()).should.equal('busy 0')
    bench.told().should.eql(['undelivered'])
    bench.cycles().should.have.length(3)
  })

  it('does not keep an error beside ready where the trigger was reset during a loss', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.send({ type: 'link', up: false })
    bench.send({ type: 'link', up: true })
    bench.plc({ trigger: false })
    // A PLC whose pulse has ended meanwhile may wait for it.
    shown(bench.words()).should.equal('error 206')
    answer(bench)
    shown(bench.words()).should.equal('ready error 206')
    bench.pass(1999)
    shown(bench.words()).should.equal('ready error 206')
    bench.pass(1)
    shown(bench.words()).should.equal('ready 206')
  })

  it('tells once that the PLC does not reset its trigger', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    answer(bench)
    bench.pass(60_000)
    shown(bench.words()).should.equal('done 0')
    bench.told().should.eql(['release-missing'])
  })

  it('shows a PLC that lost its memory no old answer', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    answer(bench)
    bench.forget()
    bench.plc({ trigger: false }, false)
    bench.effects('write').forEach(({ outputs }) => outputs.done.should.be.false())
    should(bench.effects('write')[0]?.all).be.true()
    shown(bench.words()).should.equal('ready error 206')
  })

  it('tells with the last words that a cycle was interrupted, and after the restart too', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.send({ type: 'close' })
    shown(bench.words()).should.equal('error 206')
    bench.send({ type: 'clock' }).should.eql([])
  })

  it('counts its life up only while it looks at the PLC', () => {
    const bench = armed()
    bench.pass(3000)
    bench.words().life.should.equal(3)
    bench.send({ type: 'link', up: false })
    bench.pass(3000)
    bench.send({ type: 'link', up: true })
    bench.words().should.match({ life: 3, ready: false })
    bench.plc({})
    bench.pass(1000)
    bench.words().should.match({ life: 4, ready: true })
  })

  it('is not ready while the life signal of the PLC stands still, once it was seen to move', () => {
    const bench = armed()
    bench.pass(10_000)
    bench.plc({ plcLife: 1 })
    bench.plc({ plcLife: 2 })
    bench.words().ready.should.be.true()
    bench.pass(3000)
    bench.words().ready.should.be.false()
    bench.plc({ plcLife: 3 })
    bench.words().ready.should.be.true()
    bench.told().should.eql(['plc-stopped', 'plc-back'])
  })

  it('begins by hand only where the PLC permits it, and shows the PLC no result', () => {
    const bench = armed()
    bench.send({ type: 'manual' })
    bench.told().should.eql(['manual-refused'])
    bench.plc({ manualAllowed: true })
    bench.send({ type: 'manual' })
    shown(bench.words()).should.equal('0')
    const [cycle] = bench.cycles()
    should(cycle?.manual).be.true()
    answer(bench)
    bench.words().should.match({ ready: true, done: false, counter: 0 })
  })
})
