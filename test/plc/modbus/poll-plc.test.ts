import 'should'
import { pollPlc, type PolledPlcOptions, type PolledWords } from '../../../lib/plc/client'
import { modbusProtocol, type ModbusRequest } from '../../../lib/plc/modbus'
import type { PlcError } from '../../../lib/plc/plc-error'
import type { CellWord } from '../../../lib/plc/rows'
import { eventually } from '../../support/eventually'
import { memoryPlc, obey, scriptedPlc, type RawRequest } from '../support/scripted-plc'

const result = (address: number, value: number): CellWord => ({
  area: 'registers',
  address,
  value,
  group: 'result',
})
const state = (address: number, value: number): CellWord => ({
  area: 'registers',
  address,
  value,
  group: 'state',
})

describe('pollPlc', () => {
  const open: { close?: () => unknown; stop?: () => unknown }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => (each.close ?? each.stop)?.()))
  })

  const downs: PlcError[] = []
  const faults: PlcError[] = []
  const samples: PolledWords[] = []
  let ups = 0
  async function poll(
    respond: (request: RawRequest) => void,
    options: Partial<PolledPlcOptions<ModbusRequest>> = {},
  ) {
    for (const list of [downs, faults, samples]) list.length = 0
    ups = 0
    const plc = await scriptedPlc(respond)
    const polled = pollPlc(
      {
        protocol: modbusProtocol(),
        host: '127.0.0.1',
        port: plc.port,
        interval: 5,
        deadline: 10_000,
        firstPause: 20,
        reads: [0, 1, 2].map((address) => ({ area: 'registers', address, first: address === 0 })),
        ...options,
      },
      {
        onSample: (words) => samples.push(words),
        onUp: () => ups++,
        onNotice: (error) => downs.push(error),
        onFault: (error) => faults.push(error),
      },
    )
    open.push(polled, plc)
    await eventually(() => ups.should.equal(1))
    return { polled, plc }
  }
  /** A sample of a poll that began after now. */
  async function nextSample(): Promise<PolledWords> {
    const seen = samples.length
    return eventually(() => {
      samples.length.should.be.above(seen + 1)
      return samples.at(-1) as PolledWords
    })
  }

  it('tells what stands in the PLC at every poll', async () => {
    const { memory, respond } = memoryPlc()
    await poll(respond)
    ;(await nextSample()).value('registers', 0)?.should.equal(0)
    memory.set(0, 1)
    const words = await nextSample()
    words.value('registers', 0)?.should.equal(1)
    ;(words.value('registers', 3) === undefined).should.be.true()
    ;(words.value('coils', 0) === undefined).should.be.true()
  })

  it('writes what changed, and results before the state that makes them valid', async () => {
    const { requests, respond } = memoryPlc()
    const { polled } = await poll(respond)
    await polled.write([state(1, 1), result(2, 0), result(40, 0)])
    await polled.write([state(1, 4), result(2, 65_528), result(40, 9)])
    await polled.write([state(1, 4), result(2, 65_528), result(40, 9)])
    await polled.write([state(1, 1), result(2, 65_528), result(40, 9)])
    requests.should.deepEqual(['40=0', '1=1,0', '40=9', '1=4,65528', '1=1'])
  })

  it('begins a second request when the first was answered, and leaves it where the first failed', async () => {
    const written: number[] = []
    const { polled } = await poll(({ pdu, answer, ...rest }) => {
      if (pdu[0] !== 6) {
        obey({ pdu, answer, ...rest })
        return
      }
      written.push(pdu.readUInt16BE(1))
      answer([0x86, 2])
    })
    await polled.write([state(1, 4), result(40, 9)]).should.be.rejectedWith({ code: 'REFUSED' })
    written.should.deepEqual([40])
    await polled.write([state(1, 4), result(40, 9)]).should.be.rejectedWith({ code: 'REFUSED' })
    written.should.deepEqual([40, 40])
  })

  it('takes flags back before the results below them change, also where the writes come together', async () => {
    const { requests, respond } = memoryPlc()
    const { polled } = await poll(respond)
    await polled.write([state(1, 4), result(40, 7)])
    await Promise.all([
      polled.write([state(1, 0), result(40, 7)]),
      polled.write([state(1, 4), result(40, 8)]),
      polled.write([state(1, 4), result(40, 8)]),
    ])
    requests.should.deepEqual(['40=7', '1=4', '1=0', '40=8', '1=4'])
  })

  for (const [name, missing, expected] of [
    ['16', [6], ['16 40=9', '16 1=1', '16 1=4,7']],
    ['6', [16], ['6 40=9', '6 1=1', '6 2=7', '6 1=4']],
  ] as const)
    it(`writes with function ${name} alone where the PLC has no other, and keeps to it`, async () => {
      const { respond } = memoryPlc()
      const refused: number[] = []
      const done: string[] = []
      const { polled } = await poll((request) => {
        const { pdu, answer } = request
        const code = pdu.readUInt8(0)
        if (code === 3) respond(request)
        else if (missing.some((each) => each === code)) {
          refused.push(code)
          answer([code | 0x80, 1])
        } else {
          const values = pdu.subarray(code === 6 ? 3 : 6)
          const words = Array.from({ length: values.length / 2 }, (_, word) => values.readUInt16BE(word * 2))
          done.push(`${code} ${pdu.readUInt16BE(1)}=${words.join(',')}`)
          obey(request)
        }
      })
      if (name === '16') {
        await polled.write([state(1, 1), result(2, 0), result(40, 9)].slice(2))
        await polled.write([state(1, 1), result(40, 9)])
        await polled.write([state(1, 4), result(2, 7), result(40, 9)])
      } else {
        await polled.write([state(1, 1), result(40, 9)])
        await polled.write([state(1, 4), result(2, 7), result(40, 9)])
      }
      done.should.eql(expected)
      refused.should.eql(missing)
    })

  it('reads the parts of a range separately that does not exist as a whole, and keeps to it', async () => {
    const ranges: string[] = []
    const items = [0, 1, 4, 5].map((address) => ({ area: 'registers', address }) as const)
    await poll(
      (request) => {
        const { pdu, answer } = request
        const [first, count] = [pdu.readUInt16BE(1), pdu.readUInt16BE(3)]
        ranges.push(`${first}+${count}`)
        if (first <= 3 && first + count > 2) answer([0x83, 2])
        else obey(request)
      },
      { reads: items },
    )
    const words = await nextSample()
    items.map(({ address }) => words.value('registers', address)).should.eql([0, 0, 0, 0])
    await nextSample()
    faults.should.be.empty()
    // The first one proves that a PLC is there.
    ranges.slice(0, 6).should.eql(['0+6', '0+6', '0+2', '4+2', '0+2', '4+2'])
  })

  it('measures how long the PLC takes to answer', async () => {
    const { polled } = await poll((request) => void setTimeout(() => obey(request), 30))
    await eventually(() => samples.length.should.be.above(4))
    polled.responseTime?.should.be.above(28)
  })

  it('lets no more than 64 writes wait', async () => {
    let isWriting = false
    const { polled } = await poll(({ pdu, answer }) => {
      if (pdu[0] === 3) answer([3, 6, 0, 0, 0, 0, 0, 0])
      else isWriting = true
    })
    const codes = Array.from({ length: 67 }, (_, value) =>
      polled.write([state(1, value)]).catch((error: unknown) => (error as PlcError).code),
    )
    ;(await codes[66])?.should.equal('BUSY')
    // The first is under way, not waiting.
    await eventually(() => Promise.resolve(isWriting.should.be.true()))
    await polled.close()
    const ends = await Promise.all(codes)
    ends.filter((code) => code === 'BUSY').should.have.length(2)
    ends.filter((code) => code === 'ABORTED').should.have.length(64)
  })

  it('says whether the own words are as written, and notices a PLC that lost its memory', async () => {
    const { memory, respond, requests } = memoryPlc()
    const { polled } = await poll(respond)
    ;(await nextSample()).own.should.equal('unknown')
    await polled.write([state(1, 4), result(2, 7)])
    ;(await nextSample()).own.should.equal('written')
    memory.set(2, 8)
    ;(await nextSample()).own.should.equal('different')
    memory.clear()
    ;(await nextSample()).own.should.equal('zero')
    polled.forget()
    await polled.write([state(1, 4), result(2, 7)])
    requests.should.deepEqual(['1=4,7', '1=4,7'])
    ;(await nextSample()).own.should.equal('written')
  })

  it('writes nothing by itself after a reconnect, and everything with the next write', async () => {
    const { requests, respond } = memoryPlc()
    const { polled, plc } = await poll(respond)
    await polled.write([state(1, 4)])
    for (const socket of plc.sockets) socket.resetAndDestroy()
    await eventually(() => ups.should.equal(2))
    downs.map(({ key }) => key).should.deepEqual(['plc-lost'])
    await nextSample()
    requests.should.deepEqual(['1=4'])
    await polled.write([state(1, 4)])
    requests.should.deepEqual(['1=4', '1=4'])
  })

  it('rejects a write that was under way when the connection was lost, and does not repeat it', async () => {
    let count = 0
    const { polled } = await poll((request) => {
      if (request.pdu[0] === 6 && ++count === 1) request.socket.resetAndDestroy()
      else obey(request)
    })
    await polled.write([state(1, 4)]).should.be.rejectedWith({ code: 'OUTCOME_UNKNOWN' })
    await eventually(() => ups.should.equal(2))
    await nextSample()
    count.should.equal(1)
  })

  it('tells once why polls fail, and again only for another reason', async () => {
    let exception = 2
    await poll(({ answer }) => answer([0x83, exception]))
    const told = (...keys: string[]) => faults.map(({ key }) => key).should.deepEqual(keys)
    await eventually(() => told('modbus-exception-2'))
    exception = 4
    await eventually(() => told('modbus-exception-2', 'modbus-exception-4'))
    samples.should.be.empty()
  })

  it('tells a fault in the work on a sample, and polls on', async () => {
    const { respond } = memoryPlc()
    const plc = await scriptedPlc(respond)
    let count = 0
    const errors: PlcError[] = []
    const polled = pollPlc(
      {
        protocol: modbusProtocol(),
        ...{ host: '127.0.0.1', port: plc.port, interval: 5, reads: [{ area: 'registers', address: 0 }] },
      },
      {
        onSample: () => {
          if (++count === 1) throw new Error('broken')
        },
        onFault: (error) => errors.push(error),
      },
    )
    open.push(polled, plc)
    await eventually(() => count.should.be.above(2))
    errors.map(({ code }) => code).should.deepEqual(['INTERNAL'])
  })

  it('measures the interval', async () => {
    const { polled } = await poll(obey, { interval: 10 })
    await eventually(() => samples.length.should.be.above(20))
    polled.measured.mean?.should.be.above(9)
  })

  for (const [option, options] of [
    ['interval', { interval: 0.5 }],
    ['gap', { gap: -1 }],
  ] as const)
    it(`refuses ${JSON.stringify(options)}`, () => {
      ;(() =>
        pollPlc(
          { protocol: modbusProtocol(), host: '127.0.0.1', reads: [], ...options },
          { onSample: () => {} },
        )).should.throw({
        code: 'INVALID_INPUT',
        values: { option },
      })
    })

  it('ends in the middle of a poll and of a write', async () => {
    let count = 0
    const { polled, plc } = await poll((request) => {
      if (count++ === 0) obey(request)
    })
    const write = polled.write([state(1, 4)]).catch((error: unknown) => (error as PlcError).code)
    await polled.close()
    ;['ABORTED', 'OUTCOME_UNKNOWN'].should.containEql(await write)
    await eventually(() => plc.sockets.every(({ destroyed }) => destroyed).should.be.true())
  })
})
