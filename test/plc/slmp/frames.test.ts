import should from 'should'
import { slmpAddress, slmpAddressText } from '../../../lib/plc/slmp/devices'
import {
  answerOf,
  checkRequest,
  connectedCpu,
  datagramFrame,
  endCodes,
  frameBytes,
  frameReader,
  modelName,
  refusalBytes,
  requestBytes,
  requestOf,
  type SlmpFault,
  type SlmpFrame,
  type SlmpRead,
  SlmpRefusal,
  type SlmpRequest,
  type SlmpSide,
  type SlmpWrite,
} from '../../../lib/plc/slmp/frames'
import { refusedBy } from '../../../lib/plc/slmp/protocol'
import { seededRandom } from '../../../virtual-device/values'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** Requests and answers as the SLMP reference manual SH-080956ENG has them: from the command on, and after the end code. */
const ofManual: readonly {
  what: string
  request: SlmpRead | SlmpWrite
  sent: string
  got: string
  values: number[]
}[] = [
  {
    what: 'M100 to M107 as bits',
    request: { kind: 'read', device: 'M', number: 100, count: 8 },
    sent: '01 04 01 00 64 00 00 90 08 00',
    got: '00 01 00 11',
    values: [0, 0, 0, 1, 0, 0, 1, 1],
  },
  {
    what: 'M100 to M131 as words',
    request: { kind: 'read', device: 'M', number: 100, count: 2, unit: 'word' },
    sent: '01 04 00 00 64 00 00 90 02 00',
    got: '34 12 02 00',
    values: [0x1234, 0x0002],
  },
  {
    what: 'D350 and D351',
    request: { kind: 'read', device: 'D', number: 350, count: 2 },
    sent: '01 04 00 00 5E 01 00 A8 02 00',
    got: 'AB 56 0F 17',
    values: [0x56ab, 0x170f],
  },
  {
    what: 'M100 to M107, written as bits',
    request: { kind: 'write', device: 'M', number: 100, values: [1, 1, 0, 0, 1, 1, 0, 0] },
    sent: '01 14 01 00 64 00 00 90 08 00 11 00 11 00',
    got: '',
    values: [],
  },
  {
    what: 'M100 to M131, written as words',
    request: { kind: 'write', device: 'M', number: 100, values: [0x2347, 0xab96], unit: 'word' },
    sent: '01 14 00 00 64 00 00 90 02 00 47 23 96 AB',
    got: '',
    values: [],
  },
  {
    what: 'D100 to D102, written',
    request: { kind: 'write', device: 'D', number: 100, values: [0x1995, 0x1202, 0x1130] },
    sent: '01 14 00 00 64 00 00 A8 03 00 95 19 02 12 30 11',
    got: '',
    values: [],
  },
]

describe('frames of SLMP', () => {
  for (const { what, request, sent, got, values } of ofManual)
    it(`are those of the manual: ${what}`, () => {
      requestBytes(request, 16).should.deepEqual(hex(`10 00 ${sent}`))
      const read = requestOf(hex(`10 00 ${sent}`))
      requestBytes(read, 16).should.deepEqual(hex(`10 00 ${sent}`))
      should(answerOf(request, hex(`00 00 ${got}`))).deepEqual(values)
    })

  it('have a route and a length before them, and in 4E frames a serial number', () => {
    const data = requestBytes({ kind: 'read', device: 'D', number: 100, count: 3 }, 16)
    frameBytes('request', { route: connectedCpu, data }).should.deepEqual(
      hex('50 00 00 FF FF 03 00 0C 00 10 00 01 04 00 00 64 00 00 A8 03 00'),
    )
    frameBytes('request', { serial: 0x1234, route: connectedCpu, data }).should.deepEqual(
      hex('54 00 34 12 00 00 00 FF FF 03 00 0C 00 10 00 01 04 00 00 64 00 00 A8 03 00'),
    )
    const route = { network: 2, pc: 3, module: 0x3e1, station: 4 }
    frameBytes('answer', { route, data: hex('00 00') }).should.deepEqual(
      hex('D0 00 02 03 E1 03 04 02 00 00 00'),
    )
  })

  it('ask for the model of the CPU, and read its name', () => {
    requestBytes({ kind: 'model' }, 16).should.deepEqual(hex('10 00 01 01 00 00'))
    const name = Buffer.from('Q02UCPU         ')
    const found = answerOf({ kind: 'model' }, Buffer.concat([hex('00 00'), name, hex('63 02')]))
    modelName(found ?? []).should.equal('Q02UCPU')
  })

  it('refuse with an end code, and repeat whose request it was', () => {
    const frame = { route: connectedCpu, data: requestBytes(ofManual[0]?.request as SlmpRead, 16) }
    const data = refusalBytes(frame, 0xc051)
    data.should.deepEqual(hex('51 C0 00 FF FF 03 00 01 04 01 00'))
    should(() => answerOf({ kind: 'read', device: 'D', number: 0, count: 1 }, data)).throw(SlmpRefusal, {
      endCode: 0xc051,
    })
  })

  it('take an answer of any other length for none', () => {
    const read: SlmpRequest = { kind: 'read', device: 'D', number: 0, count: 2 }
    should(answerOf(read, hex('00 00 01 00'))).equal(undefined)
    should(answerOf(read, hex('00 00 01 00 02 00 03 00'))).equal(undefined)
    should(answerOf({ kind: 'write', device: 'D', number: 0, values: [1] }, hex('00 00 01'))).equal(undefined)
    should(answerOf({ kind: 'read', device: 'M', number: 0, count: 2 }, hex('00 00 21'))).equal(undefined)
    should(answerOf({ kind: 'model' }, hex('00 00'))).equal(undefined)
  })

  it('keep to the limits of a request', () => {
    should(() => checkRequest({ kind: 'read', device: 'D', number: 0, count: 960 })).not.throw()
    should(() => checkRequest({ kind: 'read', device: 'D', number: 0, count: 961 })).throw(/1 to 960/)
    should(() => checkRequest({ kind: 'read', device: 'M', number: 0, count: 3585 })).throw(/1 to 3584/)
    should(() => checkRequest({ kind: 'write', device: 'M', number: 0, values: [2] })).throw(/0 to 1/)
    should(() => checkRequest({ kind: 'write', device: 'D', number: 0, values: [65_536] })).throw(
      /0 to 65535/,
    )
    should(() => checkRequest({ kind: 'read', device: 'D', number: 0xff_ffff, count: 2 })).throw(/1 to 1/)
  })

  const refused = [
    { what: 'an unknown command', data: '10 00 02 14 00 00 01 00', endCode: endCodes.unknownCommand },
    {
      what: 'an unknown subcommand',
      data: '10 00 01 04 02 00 00 00 00 A8 01 00',
      endCode: endCodes.unknownCommand,
    },
    { what: 'an unknown device', data: '10 00 01 04 00 00 00 00 00 33 01 00', endCode: endCodes.noAccess },
    { what: 'bits of words', data: '10 00 01 04 01 00 00 00 00 A8 01 00', endCode: endCodes.bitsOfWords },
    { what: 'no word', data: '10 00 01 04 00 00 00 00 00 A8 00 00', endCode: endCodes.tooManyWords },
    { what: '961 words', data: '10 00 01 04 00 00 00 00 00 A8 C1 03', endCode: endCodes.tooManyWords },
    {
      what: 'fewer values than their number',
      data: '10 00 01 14 00 00 00 00 00 A8 02 00 01 00',
      endCode: endCodes.length,
    },
    { what: 'a bit that is 2', data: '10 00 01 14 01 00 00 00 00 90 01 00 20', endCode: endCodes.length },
    { what: 'too few bytes', data: '10 00 01 04 00 00 00', endCode: endCodes.length },
    { what: 'too many bytes', data: '10 00 01 04 00 00 00 00 00 A8 01 00 00', endCode: endCodes.length },
  ]
  for (const { what, data, endCode } of refused)
    it(`are refused with an end code: ${what}`, () =>
      should(() => requestOf(hex(data))).throw(SlmpRefusal, { endCode }))

  it('name each cause in a sentence with the devices as the engineering tool writes them', () => {
    const place = { host: '192.168.3.39', port: 5007 }
    const request: SlmpRequest = { kind: 'write', device: 'W', number: 0x1e, values: [1, 2, 3] }
    const texts = new Set<string>()
    for (const endCode of [...Object.values(endCodes), 0xcee1]) {
      const error = refusedBy(request, endCode, place)
      error.should.match({ code: 'REFUSED', cause: { exception: endCode } })
      error.message.should.containEql(endCode.toString(16).toUpperCase().padStart(4, '0'))
      should(error.inLanguage('de')).not.equal(error.message)
      texts.add(error.key)
    }
    texts.size.should.equal(13)
    refusedBy(request, endCodes.beyondDevices, place).message.should.match(
      /does not have W1E to W20 \(end code 4031\)/,
    )
    const bits: SlmpRequest = { kind: 'read', device: 'M', number: 0, count: 2, unit: 'word' }
    refusedBy(bits, endCodes.range, place).message.should.match(/^M0 to M31 go beyond/)
  })
})

const streams: Readonly<Record<SlmpSide, SlmpFrame[]>> = { request: [], answer: [] }
for (let index = 0; index < 24; index++) {
  const route = { network: index, pc: 0xff, module: 0x3ff, station: index & 3 }
  const serial = index % 3 === 0 ? { serial: index * 2729 } : {}
  const { request, got } = ofManual[index % ofManual.length] as (typeof ofManual)[number]
  streams.request.push({ ...serial, route, data: requestBytes(request, index) })
  streams.answer.push({ ...serial, route, data: hex(`00 00 ${got}`) })
}

/** What comes out of a stream that is cut before these places. */
function cutAt(side: SlmpSide, bytes: Buffer, cuts: Iterable<number>) {
  const framesIn = frameReader(side)
  const found = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    found.push(...framesIn(bytes.subarray(from, to)))
    from = to
  }
  return found
}

const written = (side: SlmpSide, found: readonly (SlmpFrame | SlmpFault)[]) =>
  found.map((each) => ('fault' in each ? each.fault : frameBytes(side, each).toString('hex'))).join(' ')

/** Changed inputs. */
const inputs = process.env['CELLSIGHT_LONG'] ? 1_000_000 : 20_000

describe('a stream of SLMP', function () {
  this.timeout(process.env['CELLSIGHT_LONG'] ? 1_200_000 : 60_000)

  for (const side of ['request', 'answer'] as const) {
    const frames = streams[side]
    const stream = Buffer.concat(frames.map((frame) => frameBytes(side, frame)))

    it(`gives the same frames wherever it is cut: ${side}`, () => {
      cutAt(side, stream, []).should.deepEqual(frames)
      cutAt(side, stream, stream.keys()).should.deepEqual(frames)
      for (const cut of stream.keys())
        written(side, cutAt(side, stream, [cut])).should.equal(written(side, frames))
    })

    it(`gives nothing but whole frames of its beginning when it ends anywhere: ${side}`, () => {
      for (const end of stream.keys()) {
        const found = cutAt(side, stream.subarray(0, end), [])
        written(side, found).should.equal(written(side, frames.slice(0, found.length)))
      }
    })

    it(`ends with a fault, and after the frames before it: ${side}`, () => {
      const faults = [
        { bytes: Buffer.from('GET / HTTP/1.1'), fault: { fault: 'protocol', found: 0x4745 } },
        { bytes: hex('00 01 00 00 00 06 01 03 00 00 00 01'), fault: { fault: 'protocol', found: 1 } },
        {
          bytes: Buffer.from(side === 'request' ? '500000FF03FF00' : 'D00000FF03FF00'),
          fault: { fault: 'ascii', found: side === 'request' ? 0x3530 : 0x4430 },
        },
        {
          bytes: Buffer.concat([
            stream.subarray(0, 0),
            Buffer.of(side === 'request' ? 0x50 : 0xd0),
            hex('00 00 FF FF 03 00 FF FF'),
          ]),
          fault: { fault: 'length', found: 0xffff },
        },
      ]
      for (const { bytes, fault } of faults)
        cutAt(side, Buffer.concat([stream, bytes]), []).should.deepEqual([...frames, fault])
    })

    it(`neither throws nor keeps more than a frame, whatever changes in it: ${side}`, () => {
      const random = seededRandom(37)
      const any = (below: number) => Math.floor(random() * below)
      for (let input = 0; input < inputs; input++) {
        const { request } = ofManual[any(ofManual.length)] as (typeof ofManual)[number]
        const frame = frames[any(frames.length)] as SlmpFrame
        let bytes = Buffer.from(frameBytes(side, frame))
        for (let change = any(4); change >= 0; change--) {
          const kind = any(4)
          if (kind === 0) bytes = bytes.subarray(0, any(bytes.length + 1))
          else if (kind === 1) bytes = Buffer.concat([bytes, Buffer.from([any(256), any(256)])])
          else if (bytes.length)
            bytes[any(bytes.length)] = kind === 2 ? any(256) : (bytes[0] ?? 0) ^ (1 << any(8))
        }
        for (const found of [datagramFrame(side, bytes), ...cutAt(side, bytes, [any(bytes.length + 1)])]) {
          if ('fault' in found) continue
          try {
            if (side === 'request') checkRequest(requestOf(found.data))
            else answerOf(request, found.data)?.length.should.be.belowOrEqual(8)
          } catch (error) {
            should(error).be.instanceOf(SlmpRefusal)
          }
        }
      }
    })
  }
})

describe('addresses of MELSEC devices', () => {
  const written = {
    D100: 'D100',
    'd100.3': 'D100.3',
    'D100.a': 'D100.A',
    W1f: 'W1F',
    M20: 'M20',
    X1a: 'X1A',
    ZR65535: 'ZR65535',
    ' B0 ': 'B0',
  }
  for (const [text, shown] of Object.entries(written))
    it(`are read as the engineering tool writes them: ${text}`, () => {
      const address = slmpAddress(text)
      should(address && slmpAddressText(address)).equal(shown)
    })

  it('count in the base of their device', () => {
    should(slmpAddress('W10')).deepEqual({ device: 'W', number: 16 })
    should(slmpAddress('D10')).deepEqual({ device: 'D', number: 10 })
    should(slmpAddress('D10.B')).deepEqual({ device: 'D', number: 10, bit: 11 })
  })

  for (const text of [
    '',
    'D',
    'D1F',
    'M3.2',
    'T0',
    'D-1',
    'D1.10',
    '100',
    'ZR99999999',
    'WFFFFFFF',
    'D1 0',
    'constructor0',
  ])
    it(`are refused: ${JSON.stringify(text)}`, () => should(slmpAddress(text)).equal(undefined))
})
