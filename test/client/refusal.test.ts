import should from 'should'
import { isVisionError, refusal, refusedError } from '../../lib'

describe('a refusal', () => {
  const refusals: [unknown, unknown][] = [
    [
      { return_code: { value: -8, message: 'not now' } },
      { by: 'return_code', value: -8, message: 'not now' },
    ],
    [{ return_code: { value: -1 } }, { by: 'return_code', value: -1, message: '' }],
    [
      { success: false, status: 4, message: 'no grid' },
      { by: 'success', value: 4, message: 'no grid' },
    ],
    [{ success: false }, { by: 'success', value: 0, message: '' }],
    [
      { accepted: false, current_state: 'FATAL' },
      { by: 'accepted', value: 0, message: 'FATAL' },
    ],
  ]
  for (const [response, found] of refusals) {
    it(`is recognised in ${JSON.stringify(response)}`, () => should(refusal(response)).eql(found))
  }

  for (const response of [
    undefined,
    null,
    'no',
    {},
    { return_code: { value: 0, message: '' } },
    { return_code: { value: 101, message: 'a trigger is pending already' } },
    { return_code: null },
    { success: true, status: 1 },
    { accepted: true, current_state: 'RUNNING' },
  ]) {
    it(`is not recognised in ${JSON.stringify(response)}`, () => should(refusal(response)).be.undefined())
  }

  it('becomes an error that says what was refused and why', () => {
    const error = refusedError(
      { by: 'return_code', value: -8, message: 'only in single-frame modes.' },
      { operation: 'callService', what: 'acquisition_trigger', device: 'left', address: 'http://device' },
    )
    isVisionError(error).should.be.true()
    error.code.should.equal('REFUSED')
    error.message.should.startWith(
      'left: refused acquisition_trigger (code -8). The device reports: only in single-frame modes. ',
    )
    should(error.cause).eql({
      address: 'http://device',
      status: 200,
      returnCode: { value: -8, message: 'only in single-frame modes.' },
    })
  })
})
