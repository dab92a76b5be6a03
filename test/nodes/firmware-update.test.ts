import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { onTab, useBench, type Bench } from '../support/bench'

const scenario = { boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 0.05 }
const folder = mkdtempSync(join(tmpdir(), 'firmware-update-'))
const source = join(folder, 'v2.0.0.artifact')

const fields = (more: object = {}) => ({
  type: 'vision-firmware-update',
  folders: folder,
  version: 'v2.0.0',
  // The first output ends a message of the bench; progress goes elsewhere.
  wires: [['out0'], ['progress']],
  ...more,
})
const options = (more: { flow?: object[] } = {}) => ({
  device: { scenario },
  settings: () => ({ userDir: mkdtempSync(join(folder, 'user-')) }),
  flow: [{ ...onTab, id: 'progress', type: 'helper', wires: [] }, ...(more.flow ?? [])],
})

type Step = Record<string, unknown>

/** Progress messages of the node under test. */
function progressOf(bench: Bench) {
  const node = bench.helperNode('progress')
  const seen: Step[] = []
  node.on('input', (message: NodeMessage) => {
    seen.push({ ...(message['progress'] as object), payload: message.payload })
  })
  return {
    seen,
    /** Resolves at the first message of that step. */
    step: async (wanted: string) => {
      while (!seen.some(({ step }) => step === wanted)) await once(node, 'input')
    },
  }
}

describe('firmware-update', () => {
  before(() => writeArtifact(source, { version: 'v2.0.0', size: 400_000 }))
  after(() => rmSync(folder, { recursive: true }))

  describe('of one device', () => {
    const bench = useBench(fields(), options())

    it('accepts nothing over HTTP while Node-RED requires no login, and nothing over a WebSocket', async () => {
      should((await bench.send({ topic: 'login', req: {} })).payload).be.false()
      for (const topic of ['', 'abort', 'approve', 'resume']) {
        const message = { topic, payload: source, confirm: true }
        await bench
          .send({ ...message, req: {} })
          .should.be.rejectedWith({ code: 'FORBIDDEN', message: /httpNodeAuth/ })
        await bench
          .send({ ...message, _session: { type: 'websocket', id: '1' } })
          .should.be.rejectedWith({ code: 'FORBIDDEN', message: /WebSocket/ })
      }
      // A PLC on a socket is not a web page.
      await bench
        .send({ payload: source, _session: { type: 'tcp', id: '1' } })
        .should.be.rejectedWith({ message: /not confirmed/ })
    })

    it('does nothing without a confirmation', async () => {
      for (const confirm of [undefined, false, 'true', 1])
        await bench
          .send({ payload: source, confirm })
          .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /not confirmed/ })
    })

    it('reads files only below the folders of its settings', async () => {
      symlinkSync('/etc/hostname', join(folder, 'link'))
      for (const payload of ['/etc/hostname', join(folder, 'link'), '../../etc/hostname'])
        await bench.send({ payload, confirm: true }).should.be.rejectedWith({
          code: 'INVALID_INPUT',
          message: /not in an allowed folder.*in the settings of the node\.$/,
        })
    })

    it('requires an artifact', async () => {
      for (const payload of ['', 5, undefined])
        await bench
          .send({ payload, confirm: true })
          .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /No artifact/ })
    })

    it('updates it, reports each step and shows it', async () => {
      const { seen } = progressOf(bench)
      const message = await bench.send({ payload: source, confirm: true, topic: 'cell' })
      message.should.containDeep({ topic: 'cell', confirm: true })
      should(message.payload).containDeep({ outcome: 'updated', from: 'v1.1.0', active: 'v2.0.0' })
      const steps = [...new Set(seen.map(({ step }) => step))]
      steps.should.eql(['check', 'backup', 'upload', 'write', 'reboot', 'verify'])
      for (const { payload, percent } of seen) should(payload).equal(percent)
      bench.statuses.some(({ text }) => text?.endsWith('rebooting')).should.be.true()
    })

    it('skips a device that already runs the version', async () => {
      should((await bench.send({ payload: source, confirm: true })).payload).containDeep({
        outcome: 'already',
      })
    })

    it('has nothing to abort or to approve if nothing is in progress', async () => {
      for (const topic of ['abort', 'approve'])
        await bench.send({ topic }).should.be.rejectedWith({ code: 'REFUSED' })
    })
  })

  describe('that is confirmed in its settings', () => {
    const bench = useBench(fields({ confirmed: true }), options())

    it('can be aborted while it writes, and reports what runs and what boots next', async () => {
      bench.device.setScenario({ update_seconds: 0.5 })
      const { step } = progressOf(bench)
      const end = bench.send({ payload: source })
      await step('write')
      bench.node.receive({ topic: 'abort' })
      await end.should.be.rejectedWith({ code: 'ABORTED', message: /runs v1\.1\.0 as before; the next/ })
      bench.device.setScenario({ update_seconds: 0.05 })
    })

    it('says why another one has to wait', () =>
      bench.send({ payload: source }).should.be.rejectedWith({ code: 'REFUSED', message: /already pending/ }))

    it('refuses to abort during the restart', async () => {
      await bench.deploy({ mode: 'activate' })
      const { step } = progressOf(bench)
      const end = bench.send({})
      await step('reboot')
      await bench.send({ topic: 'abort' }).should.be.rejectedWith({ code: 'REFUSED', message: /no longer/ })
      should((await end).payload).containDeep({ outcome: 'updated', active: 'v2.0.0' })
    })
  })

  describe('interrupted by a deploy', () => {
    const bench = useBench(fields(), options())

    it('continues by itself after it', async () => {
      const { step } = progressOf(bench)
      bench.node.receive({ payload: source, confirm: true })
      await step('upload')
      await bench.deploy()
      const [message] = (await once(bench.helperNode('out0'), 'input')) as [NodeMessage]
      should(message.payload).containDeep({ outcome: 'updated', active: 'v2.0.0' })
      bench.device
        .calls()
        .filter(({ operation }) => operation === 'reboot')
        .should.have.length(1)
    })
  })

  describe('on two nodes', () => {
    const other = { ...onTab, ...fields(), id: 'other', device: 'device', wires: [['out1'], []] }
    const bench = useBench(fields(), options({ flow: [other] }))

    it('updates a device by only one of them at a time', async () => {
      const { step } = progressOf(bench)
      const end = bench.send({ payload: source, confirm: true })
      await step('backup')
      const caught = once(bench.helperNode('caught'), 'input') as Promise<[NodeMessage]>
      bench.helperNode('other').receive({ payload: source, confirm: true })
      should((await caught)[0]['error']).containDeep({ code: 'BUSY' })
      should((await end).payload).containDeep({ outcome: 'updated' })
    })
  })

  describe('of several devices', () => {
    const further: VirtualDevice[] = []
    const flow: object[] = []
    before(async () => {
      for (const [index, name] of ['left', 'right'].entries()) {
        const device = await startVirtualDevice({ port: 0, seed: 10 + index, scenario })
        further.push(device)
        flow.push({ id: `config-${name}`, type: 'vision-device-config', name, address: device.url })
      }
    })
    after(() => Promise.all(further.map((device) => device.stop())))
    const several = { devices: 'middle, left, right', atOnce: 2, approval: true, confirmed: true }
    const bench = useBench(fields(several), { ...options(), ...{ config: { name: 'middle' } }, flow })
    before(async () => {
      flow.push({ ...onTab, id: 'progress', type: 'helper', wires: [] })
      await bench.deploy()
    })

    it('names a missing one', () =>
      bench
        .deploy({ devices: 'middle, nobody' })
        .then(() => bench.send({ payload: source }))
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /nobody.*middle/ }))

    it('updates them in waves, with an approval in between', async () => {
      await bench.deploy({ devices: several.devices })
      const { seen, step } = progressOf(bench)
      const end = bench.send({ payload: source })
      await step('approval')
      should(seen.at(-1)).containDeep({ wave: 2, percent: 67, next: ['right'] })
      bench.node.receive({ topic: 'approve' })
      const { payload } = await end
      should(payload).containDeep([
        { device: 'middle', wave: 1, ok: true, report: { outcome: 'updated' } },
        { device: 'left', wave: 1, ok: true, report: { outcome: 'updated' } },
        { device: 'right', wave: 2, ok: true, report: { outcome: 'updated' } },
      ])
      seen.some(({ device }) => device === 'left').should.be.true()
    })

    it('names those that were not updated', async () => {
      const next = join(folder, 'v3.0.0.artifact')
      await writeArtifact(next, { version: 'v3.0.0', size: 1000 })
      await bench.deploy({ version: 'v3.0.0', atOnce: 1 })
      bench.device.setScenario({ next_update: 'corrupt' })
      const { seen } = progressOf(bench)
      await bench
        .send({ payload: next })
        .should.be.rejectedWith({ code: 'REFUSED', message: /3 of 3 devices.*middle, left, right/ })
      should(seen.at(-1)).containDeep({
        results: [
          { device: 'middle', error: { code: 'BAD_REQUEST' } },
          { state: 'skipped' },
          { state: 'skipped' },
        ],
      })
    })
  })
})
