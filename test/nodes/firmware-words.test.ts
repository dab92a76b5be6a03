import should from 'should'
import { VisionError } from '../../lib'
import { firmwareError, type FirmwareSentence } from '../../lib/firmware/firmware-error'
import { toNodeError } from '../../nodes/firmware-update/update-one'

describe('what the firmware update says as a library, and as a node', () => {
  const values = { device: 'camera', count: 3, seconds: 600, problem: 'It is away.', file: 'a.bin' }
  const both = (key: FirmwareSentence) => {
    const error = firmwareError('UNREACHABLE', key, values, undefined, { reason: 'ECONNREFUSED' })
    const told = toNodeError(error)
    if (!(told instanceof VisionError)) throw new Error('no longer an error of ours')
    told.should.have.property('code', 'UNREACHABLE')
    told.cause?.should.deepEqual({ reason: 'ECONNREFUSED' })
    told.message.should.startWith(error.message)
    return told.message.slice(error.message.length)
  }

  it('differs by how an update is resumed with a message', () => {
    for (const key of ['firmware-no-reboot', 'firmware-not-back', 'firmware-interrupted'] as const)
      both(key).should.match(/ send the topic resume/)
  })

  it('differs by where folders are allowed', () => {
    both('firmware-not-allowed').should.match(/ settings of the node\.$/)
  })

  it('is the same of everything else', () => {
    both('firmware-no-artifact').should.equal('')
    const other = new Error('not of ours')
    should.equal(toNodeError(other), other)
  })
})
