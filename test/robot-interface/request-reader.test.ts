import should from 'should'
import { interfaceCodes, RequestReader, writeRequest, type ReceivedRequest } from '../../lib/robot-interface'
import { seededRandom } from '../../virtual-device/values'

const request = writeRequest({
  action: 'TRIGGER_JOB_SYNC',
  poseFormat: 24,
  jobId: 513,
  pose: { position: { x: 0.1, y: 0.2, z: 0.3 }, orientation: { w: 1, x: 0, y: 0, z: 0 } },
  data: [1, 2, 3, 4],
})
const altered = (changes: Record<number, number>, length = 54): Buffer => {
  const copy = Buffer.alloc(length)
  request.copy(copy)
  for (const [offset, value] of Object.entries(changes)) copy[Number(offset)] = value
  return copy
}

/** All that is read from these pieces. */
function readFrom(pieces: readonly Buffer[], reader = new RequestReader()): ReceivedRequest[] {
  const found: ReceivedRequest[] = []
  for (const piece of pieces) {
    reader.push(piece)
    for (let next = reader.next(); next; next = reader.next()) found.push(next)
  }
  return found
}

const inPieces = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  let offset = 0
  return sizes.map((size) => bytes.subarray(offset, (offset += size)))
}
const codesIn = (all: readonly ReceivedRequest[]) =>
  all.map((each) => ('code' in each ? each.code : 'request'))

describe('what robots send', () => {
  it('is read from 1 to 54 pieces', () => {
    const [whole] = readFrom([request])
    should(whole).containDeep({
      echo: { poseFormat: 24, action: 2, jobId: 513 },
      request: { data: [1, 2, 3, 4] },
    })
    for (let count = 1; count <= 54; count++) {
      const size = Math.floor(54 / count)
      const sizes = [...Array<number>(count - 1).fill(size), 54 - size * (count - 1)]
      should(readFrom(inPieces(request, sizes))).eql([whole])
    }
    should(readFrom(inPieces(request, [8, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]))).eql([whole])
  })

  it('is read in order if several requests come at once', () => {
    const many = Buffer.concat(Array.from({ length: 5 }, (_, job) => altered({ 8: job, 9: 0 })))
    readFrom([many.subarray(0, 100), many.subarray(100)])
      .map(({ echo }) => echo.jobId)
      .should.eql([0, 1, 2, 3, 4])
  })

  const faults: Record<string, [changes: Record<number, number>, code: number]> = {
    'another version': [{ 4: 2 }, interfaceCodes.UNKNOWN_PROTOCOL_VERSION],
    'no action': [{ 7: 0 }, interfaceCodes.INVALID_ACTION],
    'an action above 9': [{ 7: 10 }, interfaceCodes.INVALID_ACTION],
    'no pose format': [{ 6: 0 }, interfaceCodes.INVALID_REQUEST_ERROR],
    'a pose format above 51': [{ 6: 52 }, interfaceCodes.INVALID_REQUEST_ERROR],
  }
  for (const [name, [changes, code]] of Object.entries(faults))
    it(`gets its code with ${name}, in any pieces, and the next request is understood`, () => {
      const bytes = Buffer.concat([altered(changes), request])
      for (const size of [108, 54, 7, 1]) {
        const pieces = Array.from({ length: Math.ceil(108 / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        const found = readFrom(pieces)
        codesIn(found).should.eql([code, 'request'])
        should(found[0]).containDeep({
          echo: { poseFormat: changes[6] ?? 24, action: changes[7] ?? 2, jobId: 513 },
          outOfStep: false,
        })
      }
    })

  for (const length of [0, 7, 8, 9, 10, 53, 55, 80, 255])
    it(`of length ${length} is refused at once, and as many bytes are skipped`, () => {
      const bytes = Buffer.concat([altered({ 5: length }, Math.max(8, length)), request])
      for (const size of [bytes.length, 5, 1]) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        )
        const found = readFrom(pieces)
        codesIn(found).should.eql([interfaceCodes.INVALID_REQUEST_LENGTH, 'request'])
        should(found[0]?.echo.jobId).equal(length >= 10 ? 513 : 0)
      }
      codesIn(readFrom([bytes.subarray(0, Math.min(10, Math.max(8, length)))])).length.should.equal(1)
    })

  it('that does not begin with the magic bytes is out of step for good', () => {
    for (const offset of [0, 1, 2, 3]) {
      const reader = new RequestReader()
      const found = readFrom([altered({ [offset]: 0xff }), request], reader)
      codesIn(found).should.eql([interfaceCodes.INVALID_REQUEST_ERROR])
      should(found[0]).have.properties({ outOfStep: true, echo: { poseFormat: 24, action: 2, jobId: 0 } })
      reader.isWithinRequest.should.equal(false)
    }
  })

  it('is known to be incomplete', () => {
    const reader = new RequestReader()
    reader.isWithinRequest.should.equal(false)
    readFrom([request.subarray(0, 1)], reader)
    reader.isWithinRequest.should.equal(true)
    readFrom([request.subarray(1)], reader)
    reader.isWithinRequest.should.equal(false)
    readFrom([altered({ 5: 60 })], reader)
    reader.isWithinRequest.should.equal(true)
    readFrom([Buffer.alloc(6)], reader)
    reader.isWithinRequest.should.equal(false)
  })

  it('may be any bytes in any pieces: what is read does not depend on the pieces', () => {
    const random = seededRandom(18)
    const below = (limit: number) => Math.floor(random() * limit)
    const runs = process.env.CELLSIGHT_LONG ? 100_000 : 3000
    for (let run = 0; run < runs; run++) {
      const messages = Array.from({ length: 1 + below(4) }, () => {
        const message = altered({}, below(2) ? 54 : 8 + below(120))
        for (let hits = below(4); hits > 0; hits--) message[below(Math.min(12, message.length))] = below(256)
        return message
      })
      const bytes = Buffer.concat(messages)
      const pieces: Buffer[] = []
      for (let offset = 0; offset < bytes.length;) {
        const size = 1 + below(60)
        pieces.push(bytes.subarray(offset, offset + size))
        offset += size
      }
      const whole = readFrom([bytes])
      should(codesIn(readFrom(pieces))).eql(codesIn(whole))
      for (const code of codesIn(whole))
        should(code === 'request' || [-6, -7, -8, -10].includes(code)).equal(true)
    }
  })
})
