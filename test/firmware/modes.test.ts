import { mkdir, symlink } from 'node:fs/promises'
import should from 'should'
import type { firmware } from '../../lib'
import { eventually } from '../support/eventually'
import { useFirmware } from './firmware-bench'

describe('a part of a firmware update', () => {
  const bench = useFirmware()

  it('only checks', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({ mode: 'check', source: file })
    report.should.containDeep({ outcome: 'checked', ok: true, active: 'v1.1.0' })
    bench.deeds().should.be.empty()
    should(await bench.journal().read(report.serial)).be.undefined()
  })

  it('only uploads, and only activates later', async () => {
    const { file, version } = await bench.artifact()
    ;(await bench.run({ mode: 'upload', source: file })).should.containDeep({
      outcome: 'uploaded',
      pending: true,
    })
    bench.deeds().should.eql(['uploadFirmware'])
    const wrong = bench.run({ mode: 'activate', expected: { version: 'v9.0.0' } })
    await wrong.should.be.rejectedWith({ code: 'REFUSED', message: /v2\.0\.0, not v9\.0\.0/ })
    const report = await bench.run({ mode: 'activate', expected: { version } })
    report.should.containDeep({ outcome: 'updated', from: 'v1.1.0', active: version, uploads: 0, reboots: 1 })
  })

  it('activates only an image that is there', () =>
    bench.run({ mode: 'activate' }).should.be.rejectedWith({ code: 'REFUSED', message: /no image pending/ }))

  it('rolls back', async () => {
    const report = await bench.run({ mode: 'rollback' })
    report.should.containDeep({ outcome: 'rolled-back', ok: true, from: 'v1.1.0', active: 'v1.0.0' })
    bench.deeds().should.eql(['rollback', 'reboot'])
  })

  it('does not roll back a device that fell back, because that would boot the bad image', async () => {
    bench.device.setScenario({ next_update: 'boot_fails' })
    await bench.run({ source: (await bench.artifact()).file })
    await bench.run({ mode: 'rollback' }).should.be.rejectedWith({ code: 'REFUSED', message: /older image/ })
  })
})

describe('aborting a firmware update', () => {
  const bench = useFirmware()

  const abortedAt = async (wanted: firmware.Step, source: string) => {
    const run = bench.start({
      source,
      onProgress: ({ step, stepPercent }) => {
        if (step === wanted && (step !== 'upload' || stepPercent > 0)) void run.abort()
      },
    })
    return run.done
  }

  for (const step of ['check', 'backup', 'upload'] as const)
    it(`leaves the device unchanged: ${step}`, async () => {
      const { file } = await bench.artifact('v2.0.0', 20_000_000)
      const report = await abortedAt(step, file)
      report.should.containDeep({ outcome: 'aborted', ok: false, active: 'v1.1.0', pending: false })
      ;(await bench.images()).should.containDeep({ active: 'v1.1.0', inactive: 'v1.0.0' })
      should(await bench.journal().open()).be.empty()
    })

  it('waits for the device to finish writing, and reports that the image is there', async () => {
    const { file } = await bench.artifact()
    const report = await abortedAt('write', file)
    report.should.containDeep({ outcome: 'aborted', active: 'v1.1.0', pending: true })
    report.text.should.containEql('next restart')
    bench.deeds().should.eql(['uploadFirmware'])
  })

  it('is refused from the restart on, with the reason', async () => {
    const { file } = await bench.artifact()
    let answer: Promise<void> | undefined
    const run = bench.start({
      source: file,
      onProgress: ({ step }) => {
        if (step !== 'reboot' || answer) return
        answer = run.abort()
        // It is checked later.
        answer.catch(() => undefined)
      },
    })
    ;(await run.done).outcome.should.equal('updated')
    await should(answer).be.rejectedWith({ code: 'REFUSED', message: /can no longer be aborted/ })
  })

  it('does not wait for a device that is gone', async () => {
    const { file } = await bench.artifact('v2.0.0', 3_000_000)
    const run = bench.start({
      source: file,
      timing: { patience: 600 },
      onProgress: ({ step }) => {
        if (step === 'backup') bench.device.setScenario({ offline: true })
      },
    })
    await eventually(() => run.progress.some(({ step }) => step === 'backup').should.be.true())
    await run.abort()
    ;(await run.done).should.containDeep({ outcome: 'aborted', active: 'v1.1.0', pending: false })
    should(await bench.journal().open()).be.empty()
  })
})

describe('the artifact of a firmware update', () => {
  const bench = useFirmware()
  const allowed = () => ({ mode: 'check' as const, allowedFolders: [bench.path('allowed')] })

  it('is read only below allowed folders, with links resolved', async () => {
    const { file } = await bench.artifact()
    await mkdir(bench.path('allowed', 'inner'), { recursive: true })
    await mkdir(bench.path('allowed-not'))
    await symlink(file, bench.path('allowed', 'link'))
    for (const source of [
      file,
      bench.path('allowed', 'link'),
      bench.path('allowed', '..', 'v2.0.0.artifact'),
      bench.path('allowed'),
      bench.path('allowed-not', 'none'),
      '/etc/passwd',
    ])
      await bench
        .run({ ...allowed(), source })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /allowed folder/ })
    await bench
      .run({ mode: 'check', source: file, allowedFolders: [] })
      .should.be.rejectedWith({ code: 'INVALID_INPUT' })
  })

  it('is read below an allowed folder, even if that is a link itself', async () => {
    const { file } = await bench.artifact()
    await symlink(bench.path(), bench.path('allowed'))
    ;(await bench.run({ ...allowed(), source: file })).outcome.should.equal('checked')
  })

  it('is not sent if it changed after it was checked', async () => {
    const { file } = await bench.artifact()
    const report = bench.run({
      source: file,
      onProgress: ({ step }) => {
        if (step === 'backup') void bench.artifact('v2.0.0', 600_001)
      },
    })
    await report.should.be.rejectedWith({ code: 'INVALID_INPUT', message: /runs v1\.1\.0/ })
    bench.deeds().should.be.empty()
  })
})
