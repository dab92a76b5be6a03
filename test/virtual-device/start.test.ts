import should from 'should'
import { startVirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { camera, send } from './support/use-device'

describe('startVirtualDevice', () => {
  const wrong: Record<string, VirtualDeviceOptions> = {
    'a port that is none': { port: 1.5 },
    'an empty host': { host: '' },
    'another variant': { variant: 'triple' as 'multi' },
    'a prefix that is none': { nodePrefix: 'a b' },
    'a seed that is none': { seed: NaN },
    'a serial number that is none': { serial: '../1' },
    'a model that is none': { model: 'a b' },
    'an image version that is none': { imageVersion: 'v1' },
    'no pipeline 0': { variant: 'multi', pipelines: { 1: 'stereo_a' } },
    'more pipelines than the variant has': { pipelines: { 0: 'stereo_a', 1: 'stereo_a' } },
    'an unknown kind of sensor': { pipelines: { 0: 'camera' } },
    'an unknown key of the scenario': { scenario: { nothing: 1 } as object },
    'a body limit that is none': { maxBodyBytes: 0 },
    'a time for a body that is none': { bodyTimeout: -1 },
  }
  for (const [what, options] of Object.entries(wrong))
    it(`refuses ${what}`, async () => {
      await startVirtualDevice({ port: 0, ...options }).should.be.rejectedWith({
        name: 'StartError',
        code: 'INVALID_OPTION',
      })
    })

  it('reports that a port is in use', async () => {
    const device = await startVirtualDevice({ port: 0 })
    await startVirtualDevice({ port: device.port }).should.be.rejectedWith({
      name: 'StartError',
      code: 'PORT_NOT_FREE',
    })
    await device.stop()
  })

  it('stops with requests in progress, at once', async () => {
    const device = await startVirtualDevice({ port: 0, scenario: { latency_ms: 60_000 } })
    const waiting = send('GET', `${device.url}/api/v2${camera}`).should.be.rejected()
    while (!device.calls().length) await new Promise(setImmediate)
    await device.stop()
    await waiting
  })

  it('reads its parameters by node, with or without prefix, and pipeline', async () => {
    const device = await startVirtualDevice({ port: 0, nodePrefix: 'xy_' })
    device.parameter('camera', 'fps').should.equal(25)
    device.parameter('xy_camera', 'fps', '0').should.equal(25)
    should.throws(() => device.parameter('dev_camera', 'fps'), /no node dev_camera/)
    should.throws(() => device.parameter('camera', 'nothing'), /nothing/)
    await device.stop()
  })

  it('has host name, serial number and image versions in the given format', async () => {
    const options = { model: 'cam3d-160', serial: 'AB-12', imageVersion: 'xyz-v25.4.2-release' }
    const device = await startVirtualDevice({ port: 0, nodePrefix: 'xy_', ...options })
    const { body } = await send('GET', `${device.url}/api/v2/system`)
    should(body).containDeep({
      hostname: 'cam3d-160-AB-12',
      serial: 'AB-12',
      firmware: {
        active_image: { image_version: 'xyz-v25.4.2-release' },
        inactive_image: { image_version: 'xyz-v1.0.0-release' },
      },
    })
    await device.stop()
  })

  it('lists the last thousand requests', async () => {
    const device = await startVirtualDevice({ port: 0 })
    for (let round = 0; round < 22; round++)
      await Promise.all(Array.from({ length: 50 }, () => send('GET', `${device.url}/api/v2${camera}`)))
    device.calls().length.should.equal(1000)
    await device.stop()
  })
})
