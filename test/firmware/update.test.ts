import { readFile } from 'node:fs/promises'
import should from 'should'
import { firmware } from '../../lib'
import { useFirmware } from './firmware-bench'

describe('a firmware update', () => {
  const bench = useFirmware()

  it('takes a device from one version to another, and reports what it did', async () => {
    const { file, version } = await bench.artifact()
    const { done, progress } = bench.start({ source: file, expected: { version } })
    const report = await done
    report.should.containDeep({ outcome: 'updated', ok: true, from: 'v1.1.0', to: version, active: version })
    report.should.containDeep({ problems: [], changes: [], uploads: 1, reboots: 1, pending: false })
    report.text.should.containEql('v2.0.0')
    ;(await bench.images()).should.eql({
      active: version,
      inactive: 'v1.1.0',
      fallback_booted: false,
      next_boot_image: 'active_image',
    })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
    ;[...new Set(progress.map(({ step }) => step))].should.eql([
      'check',
      'backup',
      'upload',
      'write',
      'reboot',
      'verify',
    ])
  })

  it('reports its progress: the run never goes back, and the upload has its bytes, rate and remaining time', async () => {
    const { file } = await bench.artifact()
    const { done, progress } = bench.start({ source: file, mode: 'upload' })
    await done
    const percents = progress.map(({ percent }) => percent)
    percents.should.eql([...percents].sort((one, other) => one - other))
    const last = progress.findLast(({ step }) => step === 'upload')
    should(last).containDeep({ stepPercent: 100, attempt: 1, secondsLeft: 0 })
    should(last?.sent).equal(last?.total)
    should(last?.bytesPerSecond).be.above(0)
    progress.every(({ text }) => text.includes('127.0.0.1')).should.be.true()
  })

  it('saves the settings first, in a form that the device accepts for a restore', async () => {
    const { file } = await bench.artifact()
    const { backup = '' } = await bench.run({ source: file, mode: 'upload' })
    backup.should.startWith(bench.path('backups'))
    const saved = JSON.parse(await readFile(backup, 'utf8')) as Record<string, unknown>
    ;(await bench.client.restoreBackup({ backup: saved })).return_code.value.should.equal(0)
  })

  it('accepts bytes as well as a file', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({ source: await readFile(file), mode: 'upload' })
    report.should.containDeep({ outcome: 'uploaded', to: 'v2.0.0', active: 'v1.1.0', pending: true })
  })

  it('takes the version from the device if none is expected', async () => {
    const { file } = await bench.artifact('v3.1.4')
    ;(await bench.run({ source: file })).should.containDeep({ to: 'v3.1.4', active: 'v3.1.4' })
  })

  it('installs the running version again if none is expected', async () => {
    const { file } = await bench.artifact('v1.1.0')
    ;(await bench.run({ source: file })).should.containDeep({ outcome: 'updated', active: 'v1.1.0' })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('does nothing if the expected version is already running', async () => {
    const { file } = await bench.artifact('v1.1.0')
    const report = await bench.run({ source: file, expected: { version: 'v1.1.0' } })
    report.should.containDeep({ outcome: 'already', ok: true })
    bench.deeds().should.be.empty()
  })

  it('lists the parameters that have changed', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({
      source: file,
      onProgress: ({ step }) => {
        if (step === 'write') void bench.client.setParameter({ ...fps, value: 10 })
      },
    })
    report.outcome.should.equal('updated')
    report.changes.should.eql([
      { pipeline: '0', node: 'dev_camera', parameter: 'fps', before: 25, after: 10 },
    ])
  })

  it('uses the requested language', async () => {
    const { file } = await bench.artifact()
    const { text } = await bench.run({ source: file, mode: 'check', language: 'de' })
    text.should.containEql('läuft mit v1.1.0')
  })

  const fps = { pipeline: '0', node: 'dev_camera', param: 'fps' }
})

describe('a firmware update refuses, and changes nothing,', () => {
  const bench = useFirmware()
  afterEach(() =>
    bench
      .deeds()
      .filter((deed) => deed === 'uploadFirmware')
      .should.be.empty(),
  )

  it('a device on which an update is pending', async () => {
    await bench.client.rollback()
    const { file } = await bench.artifact()
    await bench.run({ source: file }).should.be.rejectedWith({ code: 'REFUSED', message: /v1\.0\.0/ })
  })

  it('a device that is not ready', async () => {
    const { file } = await bench.artifact()
    bench.device.setScenario({ boot_seconds: 5, boot_502_seconds: 0 })
    await bench.client.reboot()
    await bench
      .run({ source: file, timing: { patience: 0 } })
      .should.be.rejectedWith({ code: /STARTING|UNREACHABLE/ })
  })

  it('a missing file, or no artifact at all', async () => {
    await bench
      .run({ source: bench.path('none') })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /none/ })
    await bench.run().should.be.rejectedWith({ code: 'INVALID_INPUT' })
  })

  it('an artifact with another size or checksum, and accepts the right ones', async () => {
    const { file } = await bench.artifact()
    const { size, sha256 } = await firmware.artifactOf(file)
    for (const expected of [{ size: size + 1 }, { sha256: sha256.replace(/./, 'x') }])
      await bench
        .run({ source: file, mode: 'check', expected })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /v2\.0\.0\.artifact/ })
    const expected = { size, sha256: ` ${sha256.toUpperCase()}` }
    ;(await bench.run({ source: file, mode: 'check', expected })).outcome.should.equal('checked')
  })

  it('a folder for the settings that cannot be written to', async () => {
    const { file } = await bench.artifact()
    await bench
      .run({ source: file, backups: `${file}/backups` })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /backups/ })
  })

  it('a second update of one device, by its serial number', async () => {
    const { file } = await bench.artifact()
    const { done, abort } = bench.start({
      source: file,
      onProgress: ({ step }) => {
        if (step === 'backup') void abort()
      },
    })
    await bench
      .run({ source: file })
      .should.be.rejectedWith({ code: 'BUSY', message: /already being updated/ })
    ;(await done).outcome.should.equal('aborted')
  })
})

describe('a firmware update that goes wrong', () => {
  const bench = useFirmware()

  it('reports an artifact that the device refuses, and the running version', async () => {
    bench.device.setScenario({ next_update: 'corrupt' })
    const { file } = await bench.artifact()
    await bench
      .run({ source: file })
      .should.be.rejectedWith({ code: 'BAD_REQUEST', message: /damaged.*runs v1\.1\.0/ })
    bench.deeds().should.eql(['uploadFirmware'])
    should(await bench.journal().open()).be.empty()
  })

  it('never restarts into a version other than the expected one', async () => {
    const { file } = await bench.artifact('v6.6.6')
    await bench
      .run({ source: file, expected: { version: 'v2.0.0' } })
      .should.be.rejectedWith({ code: 'REFUSED', message: /v6\.6\.6.*instead of v2\.0\.0/ })
    bench.deeds().should.eql(['uploadFirmware'])
  })

  it('reports that the device fell back, and does not roll back', async () => {
    bench.device.setScenario({ next_update: 'boot_fails' })
    const { file, version } = await bench.artifact()
    const report = await bench.run({ source: file, expected: { version }, onUnhealthy: 'rollback' })
    report.should.containDeep({ outcome: 'fell-back', ok: false, active: 'v1.1.0', to: version })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('leaves an unhealthy new version in place, unless told otherwise', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({ source: file, onProgress: staleAfterReboot })
    report.should.containDeep({ outcome: 'unhealthy', ok: false, active: 'v2.0.0' })
    report.problems.should.eql(['The node dev_stereomatching in pipeline 0 is stale.'])
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('rolls back if told to, and checks again', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({
      source: file,
      onUnhealthy: 'rollback',
      onProgress: (progress) => {
        if (progress.step === 'rollback') bench.device.setScenario({ stale_nodes: [] })
        else staleAfterReboot(progress)
      },
    })
    report.should.containDeep({
      outcome: 'rolled-back',
      ok: false,
      from: 'v1.1.0',
      to: 'v2.0.0',
      active: 'v1.1.0',
    })
    bench.deeds().should.eql(['uploadFirmware', 'reboot', 'rollback', 'reboot'])
  })

  it('rolls back because of changed parameters too, if told to', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({
      source: file,
      onUnhealthy: 'rollback',
      onChanged: 'unhealthy',
      onProgress: ({ step }) => {
        if (step === 'write')
          void bench.client.setParameter({ pipeline: '0', node: 'dev_camera', param: 'fps', value: 10 })
      },
    })
    report.outcome.should.equal('rolled-back')
    should(report.problems[0]).equal('Changed parameters: 1.')
  })

  it('reports if a rollback is impossible', async () => {
    bench.device.setScenario({ rollback_fails: true })
    const { file } = await bench.artifact()
    const report = await bench.run({ source: file, onUnhealthy: 'rollback', onProgress: staleAfterReboot })
    report.should.containDeep({ outcome: 'unhealthy', active: 'v2.0.0' })
    report.problems.should.have.length(2)
  })

  it('updates a device that booted its older image only on request', async () => {
    bench.device.setScenario({ next_update: 'boot_fails' })
    await bench.run({ source: (await bench.artifact()).file })
    bench.device.setScenario({ next_update: 'ok' })
    const { file } = await bench.artifact('v2.0.1')
    await bench
      .run({ source: file })
      .should.be.rejectedWith({ code: 'REFUSED', message: /v2\.0\.0.*older image/ })
    const report = await bench.run({ source: file, allowFallback: true })
    report.should.containDeep({ outcome: 'updated', active: 'v2.0.1' })
  })

  const staleAfterReboot = ({ step }: firmware.Progress) => {
    if (step === 'reboot') bench.device.setScenario({ stale_nodes: ['dev_stereomatching'] })
  }
})
