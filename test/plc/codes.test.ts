import should from 'should'
import { codeText } from '../../lib/plc/program'
import { meaningOf } from '../../nodes/plc/handshake-of'
import { codeOf, codeTable, defaultCodes, faultsOfCodes, isPassedOn } from '../../lib/plc/codes'

describe('the codes for the PLC', () => {
  it('are those of the document', () => {
    defaultCodes.should.match({
      DONE: 0,
      STILL_BUSY: 101,
      NO_IMAGE_CLIENT: 102,
      UNREACHABLE: 201,
      TIMEOUT: 202,
      OUTCOME_UNKNOWN: 203,
      STARTING: 204,
      ALREADY_SET: 205,
      UNPROVEN: 213,
      OTHER: 299,
    })
  })

  it('pass on what the device refuses with', () => {
    codeOf({ code: 'REFUSED', returnCode: -8 }).should.equal(-8)
    codeOf({ code: 'REFUSED', returnCode: 102 }).should.equal(102)
  })

  it('pass on no return code that does not fit an INT, or that is no refusal', () => {
    for (const returnCode of [-32_769, 32_768, 0, 7, 0.5, Number.NaN]) {
      isPassedOn(returnCode).should.be.false()
      codeOf({ code: 'REFUSED', returnCode }).should.equal(299)
    }
  })

  it('never read as done for a failure', () => {
    for (const code of ['DONE', 'toString', '__proto__', undefined]) codeOf({ code }).should.equal(299)
  })

  it('can be changed, and have lines for further errors', () => {
    const table = codeTable({ TIMEOUT: 1202, REFUSED: 300 })
    codeOf({ code: 'TIMEOUT' }, table).should.equal(1202)
    codeOf({ code: 'REFUSED' }, table).should.equal(300)
    codeOf({ code: 'UNREACHABLE' }, table).should.equal(201)
    faultsOfCodes(table).should.eql([])
  })

  it('can be others for return codes of the device, which then never read as done either', () => {
    const table = codeTable({ '-8': 308, '102': 55, REFUSED: 300 })
    codeOf({ code: 'REFUSED', returnCode: -8 }, table).should.equal(308)
    codeOf({ code: 'REFUSED', returnCode: 102 }, table).should.equal(55)
    codeOf({ code: 'REFUSED', returnCode: -9 }, table).should.equal(-9)
    codeOf({ code: 'REFUSED', returnCode: 7 }, table).should.equal(300)
    codeOf({ returnCode: -8 }, codeTable({ DONE: -8 })).should.equal(299)
    faultsOfCodes(codeTable({ '-8': 0 })).should.eql([{ name: '-8', fault: 'reads-as-done' }])
  })

  it('say what they mean, those of return codes too', () => {
    const table = codeTable({ '-8': 308, GRIPPER_LOST: 150, TIMEOUT: -1 })
    codeText(308, table).should.equal('Return code -8 of the device')
    codeText(308, table, 'de').should.equal('Rückgabewert -8 des Geräts')
    codeText(150, table).should.equal('GRIPPER_LOST')
    meaningOf(308, table).should.equal(meaningOf(-8))
    meaningOf(150, table).should.equal('GRIPPER_LOST')
    meaningOf(-1, table).should.equal(meaningOf(202))
    meaningOf(-2, table).should.equal('refused by the device')
  })

  it('tell which line of a table cannot be used', () => {
    should(faultsOfCodes(codeTable({ TIMEOUT: 0, OTHER: 40_000 }))).eql([
      { name: 'TIMEOUT', fault: 'reads-as-done' },
      { name: 'OTHER', fault: 'not-an-int' },
    ])
  })
})
