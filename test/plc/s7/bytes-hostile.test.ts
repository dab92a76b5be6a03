import should from 'should'
import { s7Protocol, type S7Request } from '../../../lib/plc/s7'
import { CpuMemory, cpuAnswers } from '../../../lib/plc/s7/server'
import { S7Fault, telegramReader } from '../../../lib/plc/s7/frames'
import { identityLists } from '../../../lib/plc/s7/identity'
import { PlcError } from '../../../lib/plc/plc-error'
import type { PlcRequest } from '../../../lib/plc/client'

const inputs = process.env['CELLSIGHT_LONG'] ? 1_000_000 : 20_000

const place = { host: '127.0.0.1', port: 102, deadline: 1000 }

const requests: readonly PlcRequest<S7Request>[] = [
  { kind: 'connect' },
  { kind: 'setup' },
  { kind: 'read', area: 'registers', address: 2, count: 29 },
  { kind: 'read', area: 'words DB2', address: 0, count: 1 },
  { kind: 'write', area: 'registers', address: 0, values: [1, 2, 3] },
  {
    kind: 'reads',
    reads: [
      { kind: 'read', area: 'words M', address: 0, count: 3 },
      { kind: 'read', area: 'registers', address: 5, count: 4 },
    ],
  },
  { kind: 'identity', ...identityLists.module },
]

/** Items that the answer of a request has. */
const itemsIn = (request: PlcRequest<S7Request>): number | undefined => {
  if (request.kind === 'read') return request.count
  if (request.kind === 'reads') return request.reads.reduce((sum, { count }) => sum + count, 0)
  return request.kind === 'identity' ? undefined : 0
}

const newCpu = () =>
  cpuAnswers({
    memory: new CpuMemory(1, { 1: 100 }),
    faults: { putGet: true, block: 'present', access: 'full', delay: 0, connections: 8 },
    pdu: 240,
    isFull: () => false,
    received: () => undefined,
    changed: () => undefined,
  })

/** A session that has sent its requests up to this one, and the bytes that it has sent last. */
function sessionAt(place_: number) {
  const session = s7Protocol().begin(place)
  const cpu = newCpu()
  let sent: Buffer = Buffer.alloc(0)
  let answer: Buffer = sent
  for (const request of requests.slice(0, place_ + 1)) {
    sent = Buffer.from(session.bytes(request))
    const [telegram] = telegramReader()(sent)
    answer = telegram ? cpu(telegram) : answer
    if (request !== requests[place_]) [...session.take(answer)]
  }
  return { session, cpu, sent, answer, request: requests[place_] as PlcRequest<S7Request> }
}

describe('bytes of S7', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 1_200_000 : 120_000)

  it('mean the same wherever the network cuts them', () => {
    for (const [at] of requests.entries()) {
      const whole = sessionAt(at)
      const expected = [...whole.session.take(whole.answer)]
      expected.should.have.length(1)
      for (let cut = 1; cut < whole.answer.length; cut++) {
        const { session, answer } = sessionAt(at)
        should([...session.take(answer.subarray(0, cut))]).eql([])
        should([...session.take(answer.subarray(cut))]).eql(expected)
      }
    }
  })

  it(`are an answer of the right length, an error, or the end: ${inputs} changed answers and requests`, () => {
    let seed = 42
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    const changed = (bytes: Buffer): Buffer => {
      const copy = Buffer.from(bytes)
      for (let times = 1 + random(3); times > 0; times--) copy[random(copy.length)] = random(256)
      if (random(4) === 0) return copy.subarray(0, random(copy.length + 1))
      return random(4) === 0 ? Buffer.concat([copy, Buffer.from([random(256), random(256)])]) : copy
    }
    const seen = { answers: 0, refusals: 0, ends: 0, faults: 0 }
    for (let input = 0; input < inputs / 2; input++) {
      const { session, answer, request } = sessionAt(random(requests.length))
      for (const incoming of session.take(changed(answer))) {
        if (incoming.is === 'end') {
          incoming.error.should.be.instanceof(PlcError)
          seen.ends++
        }
        if (incoming.is !== 'answer') continue
        const items = itemsIn(request)
        if (!Array.isArray(incoming.answer)) seen.refusals++
        else {
          seen.answers++
          if (items !== undefined) incoming.answer.should.have.length(items)
          incoming.answer
            .every((word) => Number.isInteger(word) && word >= 0 && word <= 65_535)
            .should.be.true()
        }
      }
    }
    for (let input = 0; input < inputs / 2; input++) {
      const { cpu, sent } = sessionAt(random(requests.length))
      try {
        for (const telegram of telegramReader()(changed(sent))) cpu(telegram)
      } catch (error) {
        should(error).be.instanceof(S7Fault)
        seen.faults++
      }
    }
    for (const count of Object.values(seen)) count.should.be.above(inputs / 1000)
  })
})
