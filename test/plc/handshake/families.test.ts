import should from 'should'
import { handshakeBench, shown } from './bench'

const end = (bench: ReturnType<typeof handshakeBench>, data = {}) =>
  bench.send({ type: 'result', token: bench.cycles().at(-1)?.token ?? 'none', data })

describe('the handshake by sequence numbers', () => {
  const armed = (options = {}) => {
    const bench = handshakeBench('sequence', options)
    bench.ready()
    return bench
  }

  it('answers each number with its echo, and has nothing to reset', () => {
    const bench = armed()
    for (const sequence of [1, 2, 3]) {
      bench.plc({ sequence, job: 10 + sequence })
      shown(bench.words()).should.equal('busy 0')
      bench.words().sequenceEcho.should.equal(sequence - 1)
      end(bench, { count: sequence })
      bench.words().should.match({
        ready: true,
        done: true,
        sequenceEcho: sequence,
        jobEcho: 10 + sequence,
        data: { count: sequence },
      })
    }
  })

  it('takes a number that came while it was busy afterwards, with the job that came with it', () => {
    const bench = armed()
    bench.plc({ sequence: 1, job: 1 })
    bench.plc({ sequence: 2, job: 2 })
    bench.plc({ job: 3 })
    end(bench)
    bench
      .effects('write')
      .some(({ outputs }) => outputs.done && outputs.sequenceEcho === 1)
      .should.be.true()
    bench.cycles().should.match([
      { request: 1, job: 1 },
      { request: 2, job: 2 },
    ])
  })

  it('shows a PLC that begins anew no old answer', () => {
    const bench = armed()
    bench.plc({ sequence: 1 })
    end(bench)
    bench.plc({ sequence: 0 })
    bench.words().should.match({ sequenceEcho: 0, done: false, ready: true })
    bench.plc({ sequence: 1 })
    bench.cycles().length.should.equal(2)
  })

  it('drops the result of a PLC that has begun anew meanwhile', () => {
    const bench = armed()
    bench.plc({ sequence: 1 })
    bench.plc({ sequence: 0 })
    end(bench)
    bench.words().should.match({ sequenceEcho: 0, done: false, ready: true })
    bench.told().should.eql(['undelivered'])
  })

  it('keeps the result for the number that still stands when the connection is back', () => {
    const bench = armed()
    bench.plc({ sequence: 1 })
    bench.send({ type: 'link', up: false })
    end(bench, { count: 1 })
    bench.send({ type: 'link', up: true })
    bench.words().should.match({ done: false, sequenceEcho: 0 })
    bench.plc({}, true)
    bench.words().should.match({ done: true, sequenceEcho: 1, data: { count: 1 } })
    bench.cycles().length.should.equal(1)
  })

  it('does not execute a number that came while the connection was lost, and answers it', () => {
    const bench = armed()
    bench.plc({ sequence: 1 })
    end(bench)
    bench.send({ type: 'link', up: false })
    bench.send({ type: 'link', up: true })
    bench.plc({ sequence: 2 }, true)
    bench.words().should.match({ error: true, code: 205, sequenceEcho: 2 })
    bench.cycles().length.should.equal(1)
  })

  it('tells after a kill that the number had been sent, and does not repeat it', () => {
    const journal = {
      counter: 4,
      acquisitionId: 9,
      owed: { token: 'before', request: 5, sent: true },
      unsettled: { token: 'before', request: 5 },
    }
    const bench = armed({ journal })
    bench.plc({ sequence: 5 })
    bench.cycles().should.eql([])
    const again = handshakeBench('sequence', { journal })
    again.ready({ sequence: 5 })
    again.words().should.match({ error: true, code: 206, sequenceEcho: 5, counter: 4, ready: false })
    again.send({ type: 'result', token: 'before', data: {} })
    again.words().ready.should.be.true()
    again.cycles().should.eql([])
  })
})

describe('the handshake by control and status words', () => {
  const armed = () => {
    const bench = handshakeBench('control-words')
    bench.ready({ enable: true })
    return bench
  }

  it('acknowledges the trigger and keeps the results until they are acknowledged', () => {
    const bench = armed()
    bench.plc({ trigger: true })
    bench.words().should.match({ triggerAck: true, acquisitionId: 1, busy: true, ready: false })
    bench.plc({ trigger: false })
    bench.words().triggerAck.should.be.false()
    end(bench)
    bench.words().should.match({ resultsValid: true, acquisitionId: 1 })
    bench.plc({ resultsAck: true })
    bench.words().resultsValid.should.be.false()
  })

  it('misses a trigger without enable, and forgets that with enable off', () => {
    const bench = armed()
    bench.plc({ enable: false })
    bench.words().ready.should.be.false()
    bench.plc({ trigger: true })
    bench.words().should.match({ missed: true, missedCount: 1, triggerAck: false })
    bench.plc({ trigger: false, enable: true })
    bench.send({ type: 'device', ready: false, code: 204, reason: 'starting' })
    bench.plc({ trigger: true })
    bench.words().should.match({ missed: true, missedCount: 2, online: false, offlineReason: 2 })
    bench.plc({ enable: false })
    bench.words().missed.should.be.false()
    bench.cycles().should.eql([])
  })
})

describe('an acknowledgement during an outage', () => {
  const answered = () => {
    const bench = handshakeBench('control-words')
    bench.ready({ enable: true })
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    return bench
  }

  it('is known by its level: the bit is set and stays set until the results are gone', () => {
    const bench = answered()
    end(bench)
    bench.words().resultsValid.should.be.true()
    bench.send({ type: 'link', up: false })
    bench.send({ type: 'link', up: true })
    bench.plc({ resultsAck: true })
    bench.words().should.match({ error: false, resultsValid: false, ready: true })
  })

  it('counts after a while where the bit was set before the answer', () => {
    const bench = answered()
    bench.plc({ resultsAck: true })
    end(bench)
    bench.words().resultsValid.should.be.true()
    bench.pass(1999)
    bench.words().resultsValid.should.be.true()
    bench.pass(1)
    bench.words().resultsValid.should.be.false()
  })

  it('may be missing: an error about the outage does not stand for ever', () => {
    const bench = answered()
    bench.send({ type: 'link', up: false })
    bench.send({ type: 'link', up: true })
    bench.plc({})
    bench.words().should.match({ error: true, code: 206 })
    bench.pass(2000)
    bench.words().error.should.be.false()
  })
})

describe('the handshake by EXE, BUSY and FLG', () => {
  it('holds BUSY and FLG until EXE is off', () => {
    const bench = handshakeBench('exe-busy-flg', { minimumDone: 0 })
    bench.ready()
    bench.plc({ command: 5, argument: [1, 2] })
    bench.plc({ trigger: true })
    should(bench.cycles()[0]).match({ command: 5, arguments: [1, 2] })
    end(bench)
    bench.words().should.match({ busy: true, answered: true, ready: false, commandEcho: 5 })
    bench.plc({ trigger: false })
    bench.words().should.match({ busy: false, answered: false, ready: true })
  })

  it('takes FLG away where EXE was off before the answer, after a while', () => {
    const bench = handshakeBench('exe-busy-flg', { minimumDone: 0 })
    bench.ready()
    bench.plc({ command: 5 })
    bench.plc({ trigger: true })
    bench.plc({ trigger: false })
    end(bench)
    bench.words().answered.should.be.true()
    bench.pass(2000)
    bench.words().should.match({ busy: false, answered: false, ready: true })
  })

  it('takes FLG away where EXE was reset during a loss, after a while', () => {
    const bench = handshakeBench('exe-busy-flg', { minimumDone: 0 })
    bench.ready()
    bench.plc({ trigger: true })
    end(bench)
    bench.send({ type: 'link', up: false })
    bench.send({ type: 'link', up: true })
    bench.plc({ trigger: false })
    bench.pass(2000)
    bench.words().should.match({ busy: false, answered: false, ready: true })
  })
})

describe('a cycle of the run before', () => {
  it('keeps ready off for as long as it may still run, counted from its beginning', () => {
    const unsettled = { token: 'before', request: 5, at: Date.now() - 4000 }
    const journal = { counter: 4, acquisitionId: 9, unsettled }
    const bench = handshakeBench('sequence', { journal, deadline: 5000, settling: 5000 })
    bench.ready()
    bench.pass(3000)
    bench.words().ready.should.be.false()
    bench.pass(3001)
    bench.words().ready.should.be.true()
  })
})

describe('a request that comes beside an answer of before', () => {
  for (const family of ['four-phases', 'exe-busy-flg'] as const)
    it(`never leaves a PLC without an answer and without busy: it would ask anew, unseen: ${family}`, () => {
      const bench = handshakeBench(family)
      bench.ready()
      bench.plc({ trigger: true })
      end(bench)
      bench.send({ type: 'link', up: false })
      bench.send({ type: 'link', up: true })
      bench.plc({ trigger: false })
      bench.words().should.match({ error: true, code: 206, busy: false })
      bench.forget()
      bench.plc({ trigger: true })
      bench.cycles().length.should.equal(1)
      for (const { outputs } of bench.effects('write')) outputs.should.match({ answered: false, busy: true })
      // The PLC has taken the 206 for the answer to this request, and waits for the end of whatever stands.
      bench.plc({ trigger: false })
      end(bench)
      bench.pass(60)
      bench.words().should.match({ done: true, code: 0 })
      bench.pass(2000)
      bench.words().should.match({ done: false, answered: false, busy: false, ready: true })
    })
})

describe('the handshake by command codes', () => {
  const armed = () => {
    const bench = handshakeBench('command-echo')
    bench.ready()
    return bench
  }

  it('echoes a command until it has ended and the PLC asks for nothing', () => {
    const bench = armed()
    bench.plc({ command: 4 })
    bench.words().commandEcho.should.equal(4)
    bench.plc({ command: 0 })
    bench.words().should.match({ commandEcho: 4, busy: true })
    end(bench)
    bench.words().should.match({ commandEcho: 0, done: true, ready: true, resultsValid: true })
  })

  it('keeps a prepared job for the cycles that follow', () => {
    const bench = armed()
    bench.plc({ command: 2, job: 8 })
    bench.words().should.match({ commandEcho: 2, done: true, resultsValid: false })
    bench.plc({ command: 0, job: 0 })
    bench.plc({ command: 4 })
    should(bench.cycles()[0]?.job).equal(8)
  })

  it('ends a cycle at the command for that, and is ready when the flow has ended it', () => {
    const bench = armed()
    bench.plc({ command: 4 })
    bench.plc({ command: 9 })
    bench.words().should.match({ commandEcho: 9, done: true, resultsValid: false, counter: 0 })
    bench.plc({ command: 0 })
    bench.words().ready.should.be.false()
    end(bench)
    bench.words().ready.should.be.true()
    bench.told().should.eql(['undelivered', 'late'])
  })

  it('refuses a cycle after a loss, until the job is prepared again or released', () => {
    for (const again of [2, 3]) {
      const bench = armed()
      const command = (code: number) => {
        bench.plc({ command: 0 })
        bench.plc({ command: code })
      }
      bench.plc({ job: 8 })
      command(2)
      bench.send({ type: 'link', up: false })
      bench.send({ type: 'link', up: true })
      bench.plc({ command: 0, job: 3 })
      command(4)
      bench.words().should.match({ error: true, code: 211, commandEcho: 4 })
      command(again)
      bench.words().should.match({ done: true, code: 0 })
      command(4)
      should(bench.cycles()[0]?.job).equal(3)
    }
  })

  it('refuses a command that it does not know', () => {
    const bench = armed()
    for (const command of [5, 77]) {
      bench.plc({ command })
      bench.words().should.match({ error: true, code: 207, commandEcho: command })
      bench.plc({ command: 0 })
    }
    bench.cycles().should.eql([])
  })
})
