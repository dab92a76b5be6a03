import should from 'should'
import { codeOf } from '../../lib/plc/codes'
import { provenIn, refusalIn } from '../../nodes/plc-result/plc-result'

describe('what a message tells plc-result of the work', () => {
  const codeIn = (msg: object) => {
    const failure = refusalIn(msg)
    return failure && codeOf(failure)
  }
  const answer = (value: number) => ({ payload: { return_code: { value, message: '' } } })

  it('is the code of a service that refused, and 101 and 102 of an acquisition only', () => {
    should(codeIn(answer(-8))).equal(-8)
    should(codeIn(answer(101))).be.undefined()
    should(codeIn({ ...answer(102), service: 'acquisition_trigger' })).equal(102)
    should(codeIn(answer(0))).be.undefined()
  })

  it('is never plain done for an acquisition without proof, whatever the payload is by then', () => {
    const unproven = { acquisition: { proven: false }, payload: 'ok' }
    should(codeIn(unproven)).equal(213)
    should(provenIn(unproven)).be.false()
  })

  it('is 101 for the picture of a trigger that was pending', () => {
    const acquisition = { proven: true, doubt: 'pending' }
    should(codeIn({ acquisition })).equal(101)
    should(provenIn({ acquisition })).be.true()
  })

  it('is done for a proven acquisition, and for messages without one', () => {
    should(codeIn({ acquisition: { proven: true, doubt: 'others' } })).be.undefined()
    for (const acquisition of [undefined, null, 5, 'x', {}]) {
      should(codeIn({ acquisition })).be.undefined()
      should(provenIn({ acquisition })).be.undefined()
    }
  })
})
