import should from 'should'
import { nothingKnown, remembered } from '../../../lib/plc/handshake'
import { handshakeBench, shown } from './bench'

describe('a trigger by hand', () => {
  const armed = (family: Parameters<typeof handshakeBench>[0], options = {}) => {
    const bench = handshakeBench(family, options)
    bench.ready({ manualAllowed: true })
    return bench
  }
  type Bench = ReturnType<typeof armed>
  const end = (bench: Bench) =>
    bench.send({ type: 'result', token: bench.cycles().at(-1)?.token ?? 'none', data: {} })

  it('leaves no answer standing that a PLC takes for that to its own trigger', () => {
    const bench = armed('command-echo', { whileBusy: 'queue' })
    bench.plc({ command: 4 })
    end(bench)
    bench.plc({ command: 0 })
    shown(bench.words()).should.equal('ready done 0')
    bench.send({ type: 'manual' })
    shown(bench.words()).should.equal('done 0')
    bench.plc({ command: 4 })
    shown(bench.words()).should.equal('busy 0')
    bench.words().commandEcho.should.equal(0)
    end(bench)
    bench.words().commandEcho.should.equal(4)
    end(bench)
    bench.words().should.match({ done: true, busy: false, counter: 2 })
  })

  it('is known after a restart: ready waits until the flow has ended it', () => {
    const bench = armed('four-phases')
    bench.send({ type: 'manual' })
    const token = bench.cycles()[0]?.token ?? 'none'
    const journal = bench
      .effects('journal')
      .reduce((memory, { entry }) => remembered(memory, entry), nothingKnown)
    should(journal.owed).be.undefined()
    bench.restart({ journal })
    bench.ready()
    shown(bench.words()).should.equal('0')
    bench.send({ type: 'result', token, data: {} })
    shown(bench.words()).should.equal('ready 0')
  })

  it('ends by the deadline, which the PLC sees nothing of', () => {
    const bench = armed('four-phases', { deadline: 500, settling: 1000 })
    bench.send({ type: 'manual' })
    bench.pass(500)
    bench.told().should.eql(['no-answer', 'manual-failed'])
    shown(bench.words()).should.equal('0')
    bench.pass(1000)
    shown(bench.words()).should.equal('ready 0')
  })

  it('is refused while a cycle is under way, and while the device takes no triggers', () => {
    const bench = armed('four-phases')
    bench.plc({ trigger: true })
    bench.send({ type: 'manual' })
    end(bench)
    bench.plc({ trigger: false })
    bench.send({ type: 'device', ready: false, code: 201, reason: 'unreachable' })
    bench.send({ type: 'manual' })
    bench.told().should.eql(['manual-refused', 'manual-refused'])
    should(bench.cycles()).have.length(1)
  })
})
