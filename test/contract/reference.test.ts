import should from 'should'
import { reference, referenceIn, referenceKinds } from '../../lib/contract/reading/form/form-shape'

describe('a value of a form from another source', () => {
  it('is stored by the dialog as the runtime reads it', () => {
    for (const kind of referenceKinds) {
      should(referenceIn(reference(kind, 'payload.slot'))).eql({ kind, text: 'payload.slot' })
      should(referenceIn(reference(kind, 'slot', 'int32'))).eql({ kind, text: 'slot', as: 'int32' })
    }
  })

  it('is distinguished from fixed values and from objects with fields of their own', () => {
    const fixed = [
      ...[undefined, null, 5, '$msg', ['$msg'], {}],
      ...[{ $msg: 5 }, { $file: 'x' }, { msg: 'x' }, { $msg: 'x', more: 1 }, { $msg: 'x', as: 5 }],
    ]
    for (const value of fixed) should(referenceIn(value)).be.undefined()
  })
})
