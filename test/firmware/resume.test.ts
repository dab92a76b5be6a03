import should from 'should'
import { createClient, type Client, type firmware } from '../../lib'
import { cableTo } from '../support/proxies/cable'
import { startAnswerProxy } from '../support/proxies/answer-proxy'
import { eventually } from '../support/eventually'
import { useFirmware } from './firmware-bench'

describe('a firmware update that was stopped', () => {
  const bench = useFirmware()

  /** Stops a run when it reports that step, as the end of the program would. */
  const stoppedAt = async (step: firmware.Step, options: Partial<firmware.FirmwareOptions>) => {
    const stop = new AbortController()
    const run = bench.run({
      ...options,
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.step === step && (step !== 'upload' || progress.stepPercent > 0)) stop.abort()
      },
    })
    await run.should.be.rejectedWith({ code: 'ABORTED' })
  }

  for (const step of ['backup', 'upload', 'reboot', 'verify'] as const)
    it(`continues from its journal: ${step}`, async () => {
      const { file } = await bench.artifact('v2.0.0', 2_000_000)
      await stoppedAt(step, { source: file, expected: { version: 'v2.0.0' } })
      ;(await bench.journal().open()).should.have.length(1)
      const report = await bench.run({ resume: true })
      report.should.containDeep({ outcome: 'updated', from: 'v1.1.0', active: 'v2.0.0', reboots: 1 })
      bench
        .deeds()
        .filter((deed) => deed === 'reboot')
        .should.have.length(1)
      ;(await bench.journal().open()).should.be.empty()
    })

  /** Stops a run when the whole artifact has been sent and nothing is answered. */
  const stoppedWhileWriting = async (source: string, seconds = 0.3) => {
    bench.device.setScenario({ update_seconds: seconds })
    const cable = await cableTo(bench.device.url)
    const client = createClient({ address: cable.url })
    const stop = new AbortController()
    const run = bench.run({ source, client, signal: stop.signal })
    void cable.formSent().then(() => stop.abort())
    await run.should.be.rejectedWith({ code: 'ABORTED' })
    await client.close()
    await cable.remove()
  }

  it('is not uploaded again if the image arrived in the meantime', async () => {
    const { file } = await bench.artifact()
    await stoppedWhileWriting(file)
    const report = await bench.run({ resume: true })
    report.should.containDeep({ outcome: 'updated', uploads: 1 })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  /** Changes the journal of the one open run. */
  const changeEntry = async (change: (entry: firmware.JournalEntry) => Partial<firmware.JournalEntry>) => {
    const [entry] = await bench.journal().open()
    if (!entry) throw new Error('no run is open')
    await bench.journal().write({ ...entry, ...change(entry) })
  }

  it('continues to wait for the image where the previous run ended, for the remaining time', async () => {
    const { file } = await bench.artifact()
    await stoppedWhileWriting(file, 1000)
    /** Seconds that a run reports it will wait; it is then stopped. */
    const told = async () => {
      const stop = new AbortController()
      let wait: number | undefined
      const onProgress = ({ waitsFor, givesUpIn }: firmware.Progress) => {
        if (waitsFor !== 'image') return
        wait = givesUpIn
        stop.abort()
      }
      await bench
        .run({ resume: true, timing: { write: 100 }, signal: stop.signal, onProgress })
        .should.be.rejectedWith({ code: 'ABORTED' })
      return wait ?? NaN
    }
    ;(await told()).should.be.within(90, 100)
    await changeEntry(({ writingSince = NaN }) => ({ writingSince: writingSince - 40 }))
    ;(await told()).should.be.within(50, 60)

    await changeEntry(({ writingSince = NaN }) => ({ writingSince: writingSince - 100 }))
    // It is then sent again, which this device refuses because it is still writing.
    await bench
      .run({ resume: true, timing: { write: 100 } })
      .should.be.rejectedWith({ code: 'BAD_REQUEST', message: /another update is in progress/ })
  })

  it('does not mistake a changed clock for a restart of the device', async () => {
    const { file } = await bench.artifact()
    await stoppedWhileWriting(file, 1)
    const hour = 3_600_000
    await changeEntry(({ mark }) =>
      mark
        ? { mark: { ...mark, asked: mark.asked - hour, answered: mark.answered - hour, clock: 'before' } }
        : {},
    )
    ;(await bench.run({ resume: true })).should.containDeep({ outcome: 'updated', uploads: 1 })
  })

  it('also continues if the same is requested again, and distinguishes other requests', async () => {
    const { file } = await bench.artifact()
    await stoppedWhileWriting(file)
    await eventually(async () => (await bench.images()).inactive.should.equal('v2.0.0'))
    const other = await bench.artifact('v7.0.0')
    await bench.run({ source: other.file }).should.be.rejectedWith({ code: 'REFUSED', message: /pending/ })
    ;(await bench.run({ source: file })).should.containDeep({ outcome: 'updated', uploads: 1 })
  })

  it('reports the end of a job again instead of repeating it', async () => {
    const { file } = await bench.artifact()
    const first = await bench.run({ source: file, job: 'wave 1' })
    ;(await bench.run({ source: file, job: 'wave 1' })).should.eql(first)
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
    await bench.run({ source: file, job: 'wave 2' })
    bench.deeds().should.have.length(4)
  })

  it('recognises the device by its serial number', async () => {
    const { file } = await bench.artifact()
    await stoppedAt('backup', { source: file })
    const [entry] = await bench.journal().open()
    should(entry?.serial).equal((await bench.client.getSystem()).serial)
    should(entry?.owner).be.undefined()
  })

  it('has nothing to resume if nothing is open', () =>
    bench.run({ resume: true }).should.be.rejectedWith({ code: 'REFUSED', message: /No update/ }))
})

describe('a firmware update on a bad network', () => {
  const bench = useFirmware()

  it('does not upload again if only the answer was lost', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({ source: file, client: losing(bench, 'uploadFirmware', 'answers') })
    report.should.containDeep({ outcome: 'updated', uploads: 1 })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('does not wait for an answer that never comes if the image is there', async () => {
    const { file } = await bench.artifact()
    const proxy = await startAnswerProxy(
      () => bench.device.url,
      ({ method, url = '' }) => (method === 'POST' && url.endsWith('/update') ? 'hold answer' : 'pass'),
    )
    const client = createClient({ address: proxy.url })
    const report = await bench.run({ source: file, client })
    report.should.containDeep({ outcome: 'updated', uploads: 1 })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
    await client.close()
    await proxy.stop()
  })

  it('judges a restart by the uptime if its answer was lost', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({ source: file, client: losing(bench, 'reboot', 'answers') })
    report.should.containDeep({ outcome: 'updated', reboots: 1 })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('requests a restart again only if the uptime shows that it did not happen', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({
      source: file,
      client: losing(bench, 'reboot', 'connections'),
      timing: { grace: 0.3 },
    })
    report.should.containDeep({ outcome: 'updated', reboots: 2 })
    bench.deeds().should.eql(['uploadFirmware', 'reboot'])
  })

  it('checks the images to see whether a rollback without an answer was executed', async () => {
    const client = losing(bench, 'rollback', 'answers')
    const report = await bench.run({ mode: 'rollback', client })
    report.should.containDeep({ outcome: 'rolled-back', ok: true, active: 'v1.0.0' })
    bench.deeds().should.eql(['rollback', 'reboot'])
  })

  it('uploads again, and reports it, if the connection ended in the middle', async () => {
    const { file } = await bench.artifact('v2.0.0', 3_000_000)
    const cable = await cableTo(bench.device.url)
    const client = createClient({ address: cable.url, random: () => 0 })
    let pulled = false
    const { done, progress } = bench.start({
      client,
      source: file,
      onProgress: ({ step, stepPercent }) => {
        if (pulled || step !== 'upload' || stepPercent === 0) return
        pulled = true
        cable.pull()
      },
    })
    ;(await done).should.containDeep({ outcome: 'updated', uploads: 2 })
    progress.some(({ attempt, text }) => attempt === 2 && text.includes('again')).should.be.true()
    await client.close()
    await cable.remove()
  })

  it('succeeds although connections and answers are lost all the time', async () => {
    bench.device.setScenario({ drop_connections: 0.1, drop_answers: 0.1 })
    const { file } = await bench.artifact()
    const report = await bench.run({ source: file, expected: { version: 'v2.0.0' } })
    report.should.containDeep({ outcome: 'updated', active: 'v2.0.0' })
    bench
      .deeds()
      .filter((deed) => deed === 'reboot')
      .should.have.length(1)
  })
})

/** A client whose first call of that name loses its answer, or is never sent. */
const losing = (
  bench: ReturnType<typeof useFirmware>,
  name: keyof Client,
  what: 'answers' | 'connections',
) => {
  let left = true
  return new Proxy(bench.client, {
    get: (client, asked: keyof Client) => {
      const call = client[asked] as (...args: unknown[]) => Promise<unknown>
      if (asked !== name || !left) return call
      left = false
      return async (...args: unknown[]) => {
        bench.device.setScenario({ [`drop_${what}`]: 1 })
        try {
          return await call(...args)
        } finally {
          bench.device.setScenario({ [`drop_${what}`]: 0 })
        }
      }
    },
  })
}
