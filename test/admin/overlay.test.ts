import should from 'should'
import { useAdmin } from '../support/admin'
import { useBench } from '../support/bench'

const facing = { w: 1, x: 0, y: 0, z: 0 }
const camera = { width: 1280, height: 960, focalLength: 1000, principalPoint: { u: 640, v: 480 } }
const tag = { id: 'a', size: 0.1, pose: { position: { x: 0, y: 0, z: 1 }, orientation: facing } }

describe('the route that draws what a service has found', () => {
  const bench = useBench({ type: 'vision-get-parameter', node: 'dev_camera', parameter: 'fps' })
  const admin = useAdmin()
  const draw = (body: object) =>
    admin.post('vision-devices/device/overlay', { pipeline: '0', camera, args: {}, ...body })
  const inFrame = (pose_frame: string) => ({ tags: [{ ...tag, pose_frame }] })
  const calibrate = (robot_mounted: boolean) =>
    fetch(`${bench.device.url}/api/v2/pipelines/0/nodes/dev_hand_eye_calibration/services/set_calibration`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        args: { pose: { position: { x: 0, y: 0, z: 0 }, orientation: facing }, robot_mounted },
      }),
    })

  it('needs nothing from the device for poses in the camera frame', async () => {
    const before = bench.device.calls().filter(({ operation }) => operation === 'callService').length
    const { status, body } = await draw({ answer: inFrame('camera'), title: 'Found' })
    should(status).equal(200)
    should(body).match({ found: { tag: 1 }, outside: 0, external: 0, svg: /^<svg .*<title>Found</ })
    bench.device
      .calls()
      .filter(({ operation }) => operation === 'callService')
      .length.should.equal(before)
  })

  it('uses the saved hand-eye calibration, and the robot pose where the robot carries the camera', async () => {
    const answer = inFrame('external')
    should((await draw({ answer })).body).match({ external: 1, why: 'noCalibration' })
    await calibrate(false)
    should((await draw({ answer })).body).match({ external: 0, outside: 0 })
    await calibrate(true)
    should((await draw({ answer })).body).match({ external: 1, why: 'noRobotPose' })
    const robot = { position: { x: 0, y: 0, z: 0 }, orientation: facing }
    should((await draw({ answer, args: { robot_pose: robot } })).body).match({ external: 0, outside: 0 })
    const aside = { ...robot, position: { x: 9, y: 0, z: 0 } }
    should((await draw({ answer, args: { robot_pose: aside } })).body).match({ external: 0, outside: 1 })
  })

  it('refuses a camera that cannot be', async () => {
    const answer = inFrame('camera')
    for (const wrong of [undefined, 7, { ...camera, width: 0 }, { ...camera, principalPoint: null }])
      should(await draw({ answer, camera: wrong })).match({ status: 400, body: { code: 'INVALID_INPUT' } })
  })
})
