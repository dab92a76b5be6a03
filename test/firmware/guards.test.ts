import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { newEntry } from '../../lib/firmware/journal'
import should from 'should'
import { createClient, type firmware } from '../../lib'
import { cableTo } from '../support/proxies/cable'
import { useFirmware } from './firmware-bench'

describe('the guards of a firmware update', () => {
  const bench = useFirmware()

  it('allow one update per device, even if it has two addresses', async () => {
    const { file } = await bench.artifact()
    const cable = await cableTo(bench.device.url)
    const other = createClient({ address: cable.url })
    let second: Promise<unknown> | undefined
    const { done } = bench.start({
      source: file,
      onProgress: ({ step }) => {
        if (step === 'backup')
          second ??= bench
            .run({ source: file, client: other })
            .should.be.rejectedWith({ code: 'BUSY', message: /already being updated/ })
      },
    })
    ;(await done).outcome.should.equal('updated')
    await second
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
    await other.close()
    await cable.remove()
  })

  it('follow links in folders, and reveal nothing behind them', async () => {
    const { file } = await bench.artifact()
    await mkdir(bench.path('allowed', 'in'), { recursive: true })
    await mkdir(bench.path('out'))
    await symlink(bench.path('out'), bench.path('allowed', 'folder'))
    await symlink(bench.path('out', 'none'), bench.path('allowed', 'dangling'))
    await symlink(file, bench.path('allowed', 'in', 'link'))
    const run = (...names: string[]) =>
      bench.run({ mode: 'check', allowedFolders: [bench.path('allowed')], source: bench.path(...names) })
    for (const names of [
      ['folder', 'none'],
      ['folder'],
      ['dangling'],
      ['in', 'link'],
      ['in', '..', '..', 'x'],
    ])
      await run('allowed', ...names).should.be.rejectedWith({ message: /allowed folder/ })
    // A missing file below an allowed folder is reported as missing.
    for (const names of [['none'], ['in', 'none', 'deeper']])
      await run('allowed', ...names).should.be.rejectedWith({ message: /cannot be read \(ENOENT\)/ })
  })

  for (const step of ['check', 'backup', 'upload'] as const)
    it(`end a run exactly when ${step} has ended and the next step has not begun`, async () => {
      const { file } = await bench.artifact()
      const next: firmware.Step[] = []
      let isAborted = false
      const run = bench.start({
        source: file,
        onProgress: ({ step: now, stepPercent }) => {
          if (isAborted) next.push(now)
          else if (now === step && (stepPercent === 100 || step === 'backup')) {
            isAborted = true
            void run.abort()
          }
        },
      })
      const { outcome, active } = await run.done
      should([outcome, active]).eql(['aborted', 'v1.1.0'])
      bench.deeds().should.not.containEql('reboot')
      next.should.not.containEql('reboot')
      should(await bench.journal().open()).be.empty()
    })

  it('do not begin if the journal of the device cannot be read, and name the file', async () => {
    const { file } = await bench.artifact()
    const { serial } = await bench.client.getSystem()
    await mkdir(bench.path('journals'))
    for (const content of ['', '{', 'null', '[]', '{"format": "firmware-update journal", "version": 99}']) {
      await writeFile(bench.path('journals', `${serial}.journal.json`), content)
      await bench
        .run({ source: file })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: new RegExp(`${serial}\\.journal\\.json`) })
      const { entries, unreadable } = await bench.journal().unfinished()
      should([entries.length, unreadable.length]).eql([0, 1])
    }
    bench.deeds().should.be.empty()
  })

  it('continue with a journal of version 0.1, and end what it left open', async () => {
    const { serial } = await bench.client.getSystem()
    await mkdir(bench.path('journals'))
    const file = bench.path('journals', `${serial}.journal.json`)
    const entry = {
      ...{ format: 'firmware-update journal', version: 1, startedAt: '2026-01-01T00:00:00.000Z' },
      ...{ phase: 'saved', uploads: 0, allSent: false, arrived: false, pendingSeen: false, reboots: 0 },
      ...{ mode: 'update', expected: { version: 'v2.0.0' }, onUnhealthy: 'keep', onChanged: 'list' },
      ...{ allowFallback: false, serial, device: bench.client.address, owner: 'flow', from: 'v1.1.0' },
      ...{ inactiveBefore: 'v1.0.0', to: 'v2.0.0', before: {} },
    }
    // Version 0.1 formatted its journals.
    await writeFile(file, `${JSON.stringify(entry, null, 1)}\n`)
    should(await bench.journal().read(serial)).eql(entry)
    await bench.journal().abandon(({ owner }) => owner === 'flow')
    should(await bench.journal().read(serial)).match({ phase: 'done', from: 'v1.1.0', abortAsked: true })
  })

  it('reject what is not JSON, and keep the journal as it is', async () => {
    const { serial } = await bench.client.getSystem()
    const journal = bench.journal()
    const entry = newEntry({
      ...{ serial, device: 'x', from: 'v1.1.0', inactiveBefore: 'v1.0.0', mode: 'update', expected: {} },
      ...{ onUnhealthy: 'keep', onChanged: 'list', allowFallback: false },
    })
    await journal.write(entry)
    const odd = { dev_camera: { status: 'running', parameters: { fps: 1n } } }
    await journal.write({ ...entry, before: { '0': odd } }).should.be.rejectedWith({ code: 'INVALID_INPUT' })
    should(await journal.read(serial)).eql(entry)
  })

  it('remove what a program left that was killed while it wrote its journal', async () => {
    const { file } = await bench.artifact()
    const { serial } = await bench.client.getSystem()
    await mkdir(bench.path('journals'))
    await writeFile(bench.path('journals', `${serial}.journal.json.0123abcd.tmp`), '{"half')
    await bench.run({ source: file, mode: 'upload' })
    ;(await readdir(bench.path('journals'))).should.eql([`${serial}.journal.json`])
  })

  it('keep an abort across the end of the program', async () => {
    const { file } = await bench.artifact('v2.0.0', 5_000_000)
    const stop = new AbortController()
    const run = bench.start({
      source: file,
      signal: stop.signal,
      onProgress: ({ step }) => {
        if (step === 'backup') void run.abort().then(() => stop.abort())
      },
    })
    await run.done.catch(() => undefined)
    const open = await bench.journal().open()
    if (open.length > 0) (await bench.run({ resume: true })).outcome.should.equal('aborted')
    bench.deeds().should.be.empty()
    should(await bench.journal().open()).be.empty()
  })
})
