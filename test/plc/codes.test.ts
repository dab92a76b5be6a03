import should from 'should'
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

  it('tell which line of a table cannot be used', () => {
    should(faultsOfCodes(codeTable({ TIMEOUT: 0, OTHER: 40_000 }))).eql([
      { name: 'TIMEOUT', fault: 'reads-as-done' },
      { name: 'OTHER', fault: 'not-an-int' },
    ])
  })
})
