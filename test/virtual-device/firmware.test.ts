import should from 'should'
import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createClient } from '../../lib'
import type { FirmwareInfo } from '../../lib/contract'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { useFolder } from './support/temporary-folder'
import { useDevice } from './support/use-device'

describe('firmware of the virtual device', () => {
  const folder = useFolder()
  const api = useDevice({ scenario: { boot_seconds: 0, update_seconds: 0 } })
  const images = async () => {
    const { active_image, inactive_image, ...rest } = (await api.get('/system/update')).body as FirmwareInfo
    return { active: active_image.image_version, inactive: inactive_image.image_version, ...rest }
  }
  const form = (content: Blob, field = 'file') => {
    const body = new FormData()
    body.set(field, content, 'firmware')
    return { body }
  }
  const artifact = async (size = 1000) => {
    await writeArtifact(folder.path('artifact'), { version: 'v2.0.0', size })
    return openAsBlob(folder.path('artifact'))
  }
  const upload = async (content: Blob) => api.post('/system/update', form(content))
  const factory = {
    active: 'v1.1.0',
    inactive: 'v1.0.0',
    fallback_booted: false,
    next_boot_image: 'active_image',
  }

  it('is updated by upload and reboot', async () => {
    should(await images()).eql(factory)
    ;(await upload(await artifact())).status.should.equal(200)
    should(await images()).eql({ ...factory, inactive: 'v2.0.0', next_boot_image: 'inactive_image' })
    await api.put('/system/reboot')
    should(await images()).eql({ ...factory, active: 'v2.0.0', inactive: 'v1.1.0' })
    should((await api.get('/system/rollback')).body).eql((await api.get('/system/update')).body)
  })

  it('accepts an artifact of any size, in constant memory', async () => {
    const blob = await artifact(48 * 1024 * 1024)
    const before = process.memoryUsage.rss()
    ;(await upload(blob)).status.should.equal(200)
    should(process.memoryUsage.rss() - before).be.below(48 * 1024 * 1024)
  })

  it('is accepted only as fast as the scenario says, and breaks off when the cable is pulled', async () => {
    api.device.setScenario({ upload_rate: 1_000_000 })
    const began = performance.now()
    const whole = await artifact(300_000)
    ;(await upload(whole)).status.should.equal(200)
    ;(performance.now() - began).should.be.above(250)
    await api.put('/system/reboot')

    await artifact(20_000_000)
    const client = createClient({ address: api.device.url })
    const offline = () => api.device.setScenario({ offline: true })
    const cut = client.uploadFirmware({ file: folder.path('artifact') }, { onProgress: offline })
    await cut.should.be.rejectedWith({ name: 'VisionError' })
    await client.close()
    api.device.setScenario({ offline: false, upload_rate: 0 })
    should(await images()).containEql({ active: 'v2.0.0', next_boot_image: 'active_image' })
    ;(await upload(await artifact())).status.should.equal(200)
  })

  const bad: Record<string, (whole: Buffer) => Uint8Array<ArrayBuffer>> = {
    empty: () => new Uint8Array(),
    'something else': () => new TextEncoder().encode('<html></html>'),
    'cut short': (whole) => new Uint8Array(whole.subarray(0, -1)),
    'longer than it says': (whole) => new Uint8Array(Buffer.concat([whole, Buffer.from('x')])),
    changed: (whole) =>
      new Uint8Array(whole.map((byte, index) => (index === whole.length - 9 ? byte ^ 1 : byte))),
  }
  for (const [what, damage] of Object.entries(bad))
    it(`refuses an artifact that is ${what}`, async () => {
      await artifact()
      const content = damage(await readFile(folder.path('artifact')))
      ;(await upload(new Blob([content]))).status.should.equal(400)
      should(await images()).eql(factory)
    })

  it('requires the artifact in the field file of a form', async () => {
    ;(await api.post('/system/update')).status.should.equal(400)
    ;(await api.post('/system/update', form(await artifact(), 'other'))).status.should.equal(400)
    ;(await api.post('/system/update', { body: new FormData() })).status.should.equal(400)
    ;(await api.post('/system/update', { json: {} })).status.should.equal(415)
    const headers = { 'content-type': 'multipart/form-data' }
    ;(await api.post('/system/update', { body: 'x', headers })).status.should.equal(400)
  })

  it('refuses at the end of the upload if the scenario says corrupt', async () => {
    api.device.setScenario({ next_update: 'corrupt' })
    ;(await upload(await artifact())).status.should.equal(400)
    should(await images()).eql(factory)
  })

  it('falls back if the new image does not boot', async () => {
    api.device.setScenario({ next_update: 'boot_fails' })
    ;(await upload(await artifact())).status.should.equal(200)
    await api.put('/system/reboot')
    should(await images()).eql({ ...factory, inactive: 'v2.0.0', fallback_booted: true })
  })

  it('accepts one update at a time, and none across a reboot', async () => {
    api.device.setScenario({ update_seconds: 0.3 })
    const blob = await artifact()
    const first = upload(blob)
    await new Promise((resolve) => setTimeout(resolve, 100))
    ;(await upload(blob)).status.should.equal(400)
    await api.put('/system/reboot')
    ;(await first).status.should.equal(400)
    should(await images()).eql(factory)
    ;(await upload(blob)).status.should.equal(200)
  })

  it('rolls back once, at the next boot', async () => {
    ;(await api.put('/system/rollback')).status.should.equal(200)
    should(await images()).containEql({ next_boot_image: 'inactive_image' })
    ;(await api.put('/system/rollback')).status.should.equal(400)
    await api.put('/system/reboot')
    should(await images()).eql({ ...factory, active: 'v1.0.0', inactive: 'v1.1.0' })
  })

  it('does not roll back if the scenario says so', async () => {
    api.device.setScenario({ rollback_fails: true })
    ;(await api.put('/system/rollback')).status.should.equal(500)
    should(await images()).eql(factory)
  })

  const license = (content: unknown) => api.post('/system/license', form(new Blob([JSON.stringify(content)])))
  it('has a license that can be replaced, effective from the next boot', async () => {
    const components = async () => (await api.get('/system/license')).body
    const file = { license: 'virtual-vision-device', components: { stereo_plus: false } }
    ;(await license(file)).status.should.equal(200)
    should(await components()).containDeep({ components: { stereo_plus: true } })
    await api.put('/system/reboot')
    should(await components()).containDeep({ components: { stereo_plus: false, stereo: true } })
  })

  it('refuses an invalid license', async () => {
    for (const wrong of ['text', { license: 'other', components: {} }, { license: 'virtual-vision-device' }])
      (await license(wrong)).status.should.equal(400)
    ;(await license('x'.repeat(100_000))).status.should.equal(413)
    ;(await api.post('/system/license')).status.should.equal(400)
  })
})
