import should from 'should'
import { commonPrefix, ownName } from '../../nodes/device/known-nodes'

const known = ['xy_camera', 'xy_stereomatching', 'xy_stereo_ins', 'xy_roi_db']

describe("the device's own name for a node", () => {
  it('is the name itself if the device has it', () => should(ownName('xy_camera', known)).equal('xy_camera'))

  it('differs only by the prefix', () => {
    should(ownName('dev_camera', known)).equal('xy_camera')
    should(ownName('dev_roi_db', known)).equal('xy_roi_db')
    should(ownName('dev_stereo_ins', known)).equal('xy_stereo_ins')
  })

  it('may have a prefix of two parts', () =>
    should(ownName('dev_camera', ['ab_cd_camera', 'ab_cd_roi_db'])).equal('ab_cd_camera'))

  it('is not guessed if the device has no such node', () => {
    should(ownName('dev_gripper_db', known)).be.undefined()
    should(ownName('camera', known)).be.undefined()
    should(ownName('dev_camera', [])).be.undefined()
  })

  it('prefers an exact name over another prefix', () =>
    should(ownName('dev_camera', ['dev_camera', 'xy_camera'])).equal('dev_camera'))
})

describe('the common prefix', () => {
  it('ends in an underscore', () =>
    commonPrefix(['dev_stereo_ins', 'dev_stereomatching']).should.equal('dev_'))
  it('is empty if the names share none', () => commonPrefix(['dev_camera', 'xy_camera']).should.equal(''))
})
