import 'should'
import { operationIds, type Input, type Result } from '../lib/contract'

describe('contract', () => {
  it('lists all 51 operations of the specification', () => {
    operationIds.length.should.equal(51)
  })
})

const input: Input<'setParameter'> = { pipeline: '0', node: 'dev_camera', param: 'fps', value: 10 }
const read: Input<'getParameters'> = { pipeline: '0', node: 'dev_camera' }
// @ts-expect-error a pipeline is missing
const wrong: Input<'getParameters'> = { node: 'dev_camera' }
export const result: Result<'setParameter'>['name'] = 'x'
export default [input, read, wrong]
