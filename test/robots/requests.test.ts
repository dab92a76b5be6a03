import should from 'should'
import fc from 'fast-check'
import { requestOf, requestReader, type RawRequest, type RequestReader } from '../../lib/robots/requests'
import { dialectIds, dialects, type DialectId } from '../../lib/robots'
import { difference, holds } from '../robotics/seeded-poses'
import { at, numbersOf, present } from './options'

const all = (kind: 'text' | 'xml', ...pieces: readonly string[]): RawRequest[] => {
  const reader = requestReader(kind)
  return [...pieces.flatMap((piece) => taken(reader, piece)), ...reader.flush()]
}

/** What is complete with this piece. */
function taken(reader: RequestReader, piece: string): RawRequest[] {
  reader.push(piece)
  const found: RawRequest[] = []
  for (let next = reader.next(); next; next = reader.next()) found.push(next)
  return found
}

/** One request of each make, as its program writes it, at the pose 445, 0, 500, 0, 90, 0. */
const samples: Record<DialectId, string> = {
  'universal-robots': 'pick p[0.445, 0, 0.5, 0, 1.5707963, 0]\n',
  kuka: '<Robot><Command>PICK</Command><Job>3</Job><Pose X="445.0" Y="0.0" Z="500.0" A="0.0" B="90.0" C="0.0"></Pose></Robot>',
  abb: 'PICK 3 [[445,0,500],[0.70711,0,0.70711,0]]\n',
  fanuc: 'PICK 3 445.000 0.000 500.000 0.000 90.000 0.000\r\n',
  ascii: 'PICK,3,445,0,500,0,90,0\r\n',
}

describe('requests of robots', () => {
  for (const id of dialectIds)
    it(`of ${id} are read as its program writes them, in any pieces`, () => {
      const text = samples[id]
      const numbers = numbersOf(id)
      const kind = dialects[id].requests
      holds(
        fc.property(fc.array(fc.nat(text.length), { maxLength: 12 }), (cuts) => {
          const places = [0, ...cuts.toSorted((one, other) => one - other), text.length]
          const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
          const [raw, ...others] = all(kind, ...pieces)
          others.should.eql([])
          const request = requestOf(present(raw), numbers)
          if ('fault' in request) throw new Error(request.fault)
          request.command.should.equal('PICK')
          should(request.job).equal(id === 'universal-robots' ? undefined : 3)
          difference(request.pose ?? at(0), at(445, 0, 500, 0, 90, 0)).should.be.below(1e-5)
        }),
        200,
      )
    })

  for (const text of ['PICK', 'pick', 'Pick\n', ' pick \r\n', 'PICK\r', 'PICK\0', '"PICK"\n', '(pick)\n'])
    it(`are understood with or without an end, in any case: ${JSON.stringify(text)}`, () =>
      all('text', text).should.eql([{ command: 'PICK', numbers: [] }]))

  it('leave out elements that the program has not set', () =>
    all(
      'xml',
      '<Robot><Command>PICK</Command><Job></Job><Pose X="" Y="" Z="" A="" B="" C=""/></Robot>',
    ).should.eql([{ command: 'PICK', numbers: [] }]))

  it('come one after the other in one piece', () => {
    all('text', 'PICK\nNEXT\r\nPICK 2').should.eql([
      { command: 'PICK', numbers: [] },
      { command: 'NEXT', numbers: [] },
      // A robot that ends its lines has not ended this one.
      { fault: 'incomplete', text: 'PICK 2' },
    ])
    all('xml', '<Robot Command="pick"/>\r\n<?xml version="1.0"?><R><Command>NEXT</Command></R>').should.eql([
      { command: 'PICK', numbers: [] },
      { command: 'NEXT', numbers: [] },
    ])
  })

  it('that are none are told apart by why', () => {
    const fault = (kind: 'text' | 'xml', text: string) =>
      all(kind, text).map((each) => 'fault' in each && each.fault)
    fault('text', '1,2,3\n').should.eql(['unreadable'])
    fault('text', '\xff\xfe\n').should.eql(['unreadable'])
    fault('text', `${'x'.repeat(5000)}\n`).should.eql(['too-long'])
    fault('xml', 'PICK\n').should.eql(['unreadable'])
    fault('xml', '<Robot><Command>PICK</Command>').should.eql(['incomplete'])
    fault('xml', '<Robot><Command>PICK</Command><Job>many</Job></Robot>').should.eql(['unreadable'])
    fault('xml', `<Robot>${'x'.repeat(5000)}`).should.eql(['too-long'])
    for (const [text, missing] of [
      ['<Robot><Job>3</Job></Robot>', '<Command>'],
      ['<Robot><Command></Command></Robot>', '<Command>'],
      ['<Robot><Command>PICK</Command><Pose X="1" Y="2" A="0" B="0" C="0"/></Robot>', 'Z'],
    ] as const)
      should(all('xml', text)).match([{ fault: 'missing', missing }])
  })

  it('read on behind a line that is too long', () => {
    const reader = requestReader('text')
    taken(reader, 'x'.repeat(5000)).should.have.length(1)
    taken(reader, 'y'.repeat(5000)).should.eql([])
    taken(reader, '\nPICK\n').should.eql([{ command: 'PICK', numbers: [] }])
  })

  it('have no numbers, a job, a pose, or both', () => {
    const meant = (text: string) => {
      const [raw] = all('text', text)
      const request = requestOf(present(raw), numbersOf('ascii'))
      return 'fault' in request ? request.fault : [request.job, request.pose?.position.x]
    }
    meant('PICK').should.eql([undefined, undefined])
    meant('PICK 7').should.eql([7, undefined])
    meant('PICK 445 0 500 0 90 0').should.eql([undefined, 0.445])
    meant('PICK 7 445 0 500 0 90 0').should.eql([7, 0.445])
    meant('PICK 445 0 500').should.equal('numbers')
    meant('PICK 1 2 3 4 5 6 7 8').should.equal('numbers')
    meant('PICK 1.5').should.equal('numbers')
    meant('PICK 445000 0 500 0 90 0').should.equal('pose')
    // A position and a quaternion, of which the first number could be a job.
    meant('PICK 445 0 500 0.7071 0 0.7071 0').should.equal('numbers')
  })

  it('cost nothing more than their length, whatever comes', function () {
    this.timeout(60_000)
    holds(
      fc.property(
        fc.constantFrom('text' as const, 'xml' as const),
        fc.array(
          fc.oneof(
            fc.string({ maxLength: 50 }),
            fc.constantFrom('<', '</', '<a>', '</a>', '/>', '\n', 'PICK', '="'),
          ),
        ),
        (kind, pieces) => {
          const reader = requestReader(kind)
          for (const piece of pieces) taken(reader, piece)
          reader.flush()
          reader.isWaiting.should.be.false()
        },
      ),
      500,
    )
    all('xml', '<a>'.repeat(1300)).should.have.length(1)
  })
})
