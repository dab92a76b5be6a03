import 'should'
import { frameBytes, frameReader, type ModbusFrame } from '../../../lib/plc/modbus/frames'
import { seededRandom } from '../../../virtual-device/values'
import { rawFrame } from '../support/scripted-plc'

const frames: ModbusFrame[] = Array.from({ length: 40 }, (_, index) => ({
  transaction: (index * 4099) & 0xffff,
  unit: index,
  pdu: Buffer.alloc(1 + ((index * 37) % 253), index + 1),
}))
const stream = Buffer.concat(frames.map(frameBytes))

/** What comes out of a stream that is cut before these places. */
function cutAt(bytes: Buffer, cuts: Iterable<number>) {
  const framesIn = frameReader()
  const found = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    found.push(...framesIn(bytes.subarray(from, to)))
    from = to
  }
  return found
}

describe('frames of Modbus TCP', () => {
  it('are written as the specification says', () => {
    const bytes = frameBytes({ transaction: 0x1501, unit: 255, pdu: Buffer.from([3, 0, 4, 0, 1]) })
    bytes.toString('hex').should.equal('150100000006ff0300040001')
  })

  it('come out of a stream byte by byte as they came out of it in one piece', () => {
    cutAt(stream, []).should.deepEqual(frames)
    cutAt(stream, stream.keys()).should.deepEqual(frames)
  })

  it('come out of a stream that is cut anywhere', () => {
    const random = seededRandom(15)
    for (let round = 0; round < 200; round++) {
      const cuts = Array.from({ length: 12 }, () => Math.floor(random() * stream.length))
      cutAt(
        stream,
        cuts.sort((one, other) => one - other),
      ).should.deepEqual(frames)
    }
  })

  const bad = [
    { what: 'another protocol', bytes: [0, 1, 0, 7, 0, 2, 1, 3], fault: { fault: 'protocol', found: 7 } },
    { what: 'no function code', bytes: [0, 1, 0, 0, 0, 1, 1], fault: { fault: 'length', found: 1 } },
    { what: 'too many bytes', bytes: [0, 1, 0, 0, 1, 0, 1], fault: { fault: 'length', found: 256 } },
    {
      what: 'a web browser',
      bytes: [...Buffer.from('GET / HTTP/1.1')],
      fault: { fault: 'protocol', found: 0x5420 },
    },
  ]
  for (const { what, bytes, fault } of bad)
    it(`end with a fault, and after those before it: ${what}`, () => {
      const good = rawFrame([3, 0, 0, 0, 1])
      const found = cutAt(Buffer.concat([good, Buffer.from(bytes)]), [])
      found.should.have.length(2)
      found[1]?.should.deepEqual(fault)
    })
})
