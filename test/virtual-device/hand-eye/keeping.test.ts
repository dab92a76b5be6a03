import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { identity } from '../../../lib/robotics'
import { startVirtualDevice, type VirtualDevice } from '../../../virtual-device'
import { send } from '../support/use-device'
import { cellAt, grid, overBin, twelvePoses, useCell } from './use-cell'

describe('the result of a hand-eye calibration', () => {
  const cell = useCell()
  const calibrate = async () => {
    await cell.set(grid)
    await cell.record(twelvePoses)
    return cell.calibrate()
  }
  const recorded = async () => ((await cell.call('get_poses')).poses as object[]).length

  it('is visible to others only once it is saved, which removes the recorded poses', async () => {
    const found = await calibrate()
    const { status, ...none } = await cell.saved()
    status.should.equal(2)
    none.should.containEql({ success: false, pose: identity() })
    const ask = async () => {
      const args = { pose_frame: 'external', robot_pose: overBin() }
      const path = '/pipelines/0/nodes/dev_april_tag_detect/services/detect'
      const { body } = await cell.api.put(path, { json: { args: { ...args, tags: [] } } })
      return (body as { response: { return_code: { value: number } } }).response.return_code.value
    }
    ;(await ask()).should.equal(-1)
    ;(await cell.call('save_calibration')).should.containEql({ success: true, status: 0 })
    ;(await recorded()).should.equal(0)
    ;(await ask()).should.be.aboveOrEqual(0)
    const { pose, error, translation_error_meter, rotation_error_degree } = await cell.saved()
    should({ pose, error, translation_error_meter, rotation_error_degree }).deepEqual({
      pose: found.pose,
      error: found.error,
      translation_error_meter: found.translation_error_meter,
      rotation_error_degree: found.rotation_error_degree,
    })
  })

  it('is the saved one again after a reset', async () => {
    await calibrate()
    await cell.call('save')
    const before = await cell.saved()
    await cell.record(twelvePoses.slice(0, 8))
    const other = await cell.calibrate()
    other.pose.should.not.deepEqual(before.pose)
    ;(await cell.call('reset_calibration')).should.containEql({ success: true, status: 3 })
    ;(await recorded()).should.equal(0)
    ;(await cell.call('save_calibration')).status.should.equal(0)
    ;(await cell.saved()).should.deepEqual(before)
  })

  it('can be removed, and stays if that fails', async () => {
    await calibrate()
    cell.setCell({ storage_fails: true })
    ;(await cell.call('save_calibration')).should.containEql({ success: false, status: 1 })
    cell.setCell({})
    ;(await cell.call('save_calibration')).status.should.equal(0)
    cell.setCell({ storage_fails: true })
    ;(await cell.call('remove_calibration')).should.containEql({ success: false, status: 2 })
    ;(await cell.saved()).status.should.equal(0)
    cell.setCell({})
    ;(await cell.call('remove_calibration')).should.containEql({ success: true, status: 0 })
    ;(await cell.call('remove_calibration')).should.containEql({ success: true, status: 1 })
    ;(await cell.saved()).status.should.equal(2)
  })

  it('is unaffected by reset_defaults and not in a backup', async () => {
    await calibrate()
    await cell.call('save_calibration')
    await cell.setPose(0, overBin())
    await cell.api.put('/pipelines/0/nodes/dev_hand_eye_calibration/services/reset_defaults')
    ;(await cell.saved()).status.should.equal(0)
    ;(await recorded()).should.equal(1)
    const { text } = await cell.api.get('/system/backup')
    text.should.containEql('dev_hand_eye_calibration').and.not.containEql('translation_error_meter')
  })

  it('is removed with its poses when the camera is recalibrated', async () => {
    const step = () => cell.api.put('/pipelines/0/nodes/dev_stereocalib/services/change_state')
    const node = async () => (await cell.api.get('/pipelines/0/nodes/dev_stereocalib/status')).body
    await calibrate()
    await cell.call('save_calibration')
    await cell.record(twelvePoses.slice(0, 4))
    should(await node()).containEql({ status: 'idle' })
    await step()
    should(await node()).containEql({ status: 'running' })
    ;(await cell.saved()).status.should.equal(0)
    await step()
    should(await node()).containEql({ status: 'idle' })
    ;(await cell.saved()).status.should.equal(2)
    ;(await recorded()).should.equal(0)
    ;(await cell.call('save_calibration')).status.should.equal(2)
  })

  describe('of a device with a state folder', () => {
    let folder: string
    let device: VirtualDevice | undefined
    const restarted = async () => {
      await device?.stop()
      device = await startVirtualDevice({ port: 0, state: folder })
      return device.url
    }
    const there = cellAt(() => device?.url ?? '')
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'cellsight-hand-eye-'))
      await restarted()
    })
    afterEach(async () => {
      await device?.stop()
      device = undefined
      await rm(folder, { recursive: true })
    })

    it('survives a restart, and a reboot', async () => {
      await there.set(grid)
      await there.record(twelvePoses)
      await there.calibrate()
      await there.call('save_calibration')
      const before = await there.saved()
      before.status.should.equal(0)
      await restarted()
      ;(await there.saved()).should.deepEqual(before)
      device?.setScenario({ boot_seconds: 0, boot_502_seconds: 0 })
      await send('PUT', `${device?.url}/api/v2/system/reboot`)
      ;(await there.saved()).should.deepEqual(before)
    })

    it('is the same if the restart came between the poses and the calibration', async () => {
      await there.set(grid)
      await there.record(twelvePoses)
      const [before, truth] = [await there.calibrate(), await there.truth()]
      await restarted()
      ;(await there.calibrate()).should.deepEqual(before)
      ;(await there.truth()).should.deepEqual(truth)
    })
  })
})
