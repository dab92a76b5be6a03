import { readdirSync, readFileSync, rmSync, mkdtempSync } from 'node:fs'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { onTab, useBench } from '../support/bench'
import { eventually } from '../support/eventually'

const scenario = { boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 0.05 }
const names = ['left', 'middle', 'right']

/** A node that updates three devices of its own, two at once, with an approval in between. */
function useRollout(more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'firmware-rollout-'))
  const userDir = join(folder, 'user')
  const source = join(folder, 'v2.0.0.artifact')
  const devices: VirtualDevice[] = []
  const flow: object[] = [{ ...onTab, id: 'progress', type: 'helper', wires: [] }]
  before(async () => {
    await writeArtifact(source, { version: 'v2.0.0', size: 400_000 })
    for (const [index, name] of names.entries()) {
      const device = await startVirtualDevice({ port: 0, seed: 100 + index, scenario })
      devices.push(device)
      flow.push({ id: `config-${name}`, type: 'vision-device-config', name, address: device.url })
    }
  })
  const fields = {
    type: 'vision-firmware-update',
    folders: folder,
    devices: names.join(),
    atOnce: 2,
    approval: true,
    confirmed: true,
    wires: [['out0'], ['progress']],
    ...more,
  }
  const bench = useBench(fields, { flow, settings: () => ({ userDir }) })
  after(async () => {
    for (const device of devices) await device.stop()
    rmSync(folder, { recursive: true })
  })

  const next = async (id: string) => ((await once(bench.helperNode(id), 'input')) as [NodeMessage])[0]
  return {
    bench,
    source,
    devices,
    journals: join(userDir, 'vision-firmware', 'journals'),
    receive: (message: object) => bench.node.receive(message as NodeMessage),
    /** The next message of the node for this helper. */
    next,
    /** Resolves with the next progress of that step. To be called after a deploy, which creates new nodes. */
    step: (wanted: string) =>
      new Promise<Record<string, unknown>>((resolve) =>
        bench.helperNode('progress').on('input', (message: NodeMessage) => {
          const progress = message['progress'] as Record<string, unknown>
          if (progress['step'] === wanted) resolve(progress)
        }),
      ),
    /** Resolves with the code and the message of the next error. */
    caught: async () => {
      const { error } = (await next('caught')) as { error?: { code: string; message: string } }
      return `${error?.code}: ${error?.message}`
    },
    /** How often each device was told to do that. */
    deeds: (id: string) =>
      devices.map((device) => device.calls().filter(({ operation }) => operation === id).length),
  }
}

describe('waves of firmware updates', () => {
  describe('interrupted by a deploy', () => {
    const rollout = useRollout()

    it('continue in the middle of a wave, and ask again for a pending approval', async () => {
      const { bench, receive, next, step, deeds, source } = rollout
      receive({ payload: source })
      await step('backup')
      await bench.deploy()
      should(await step('approval')).containDeep({ wave: 2, percent: 67, next: ['right'] })
      deeds('reboot').should.deepEqual([1, 1, 0])

      await bench.deploy()
      const { text } = await step('approval')
      should(text).match(/right/)
      const end = next('out0')
      receive({ topic: 'approve' })
      should((await end).payload).containDeep([
        { device: 'left', wave: 1, ok: true, report: { outcome: 'updated', active: 'v2.0.0' } },
        { device: 'middle', wave: 1, ok: true, report: { outcome: 'updated' } },
        { device: 'right', wave: 2, ok: true, report: { outcome: 'updated' } },
      ])
      deeds('uploadFirmware').should.deepEqual([1, 1, 1])
      deeds('reboot').should.deepEqual([1, 1, 1])
    })

    it('are over when they have ended', async () => {
      const { bench } = rollout
      await bench.deploy()
      await bench.send({ topic: 'approve' }).should.be.rejectedWith({ code: 'REFUSED' })
      await bench.send({ topic: 'abort' }).should.be.rejectedWith({ code: 'REFUSED' })
      await bench.send({ topic: 'resume' }).should.be.rejectedWith({ code: 'REFUSED', message: /No update/ })
    })
  })

  describe('that are not approved', () => {
    const rollout = useRollout()

    it('are over for good', async () => {
      const { bench, receive, caught, step, deeds, source } = rollout
      receive({ payload: source })
      await step('approval')
      const error = caught()
      receive({ topic: 'approve', payload: false })
      ;(await error).should.match(/REFUSED: 1 of 3 devices.*right/)
      await bench.deploy()
      await bench.send({ topic: 'resume' }).should.be.rejectedWith({ code: 'REFUSED', message: /No update/ })
      deeds('uploadFirmware').should.deepEqual([1, 1, 0])
    })
  })

  describe('that are aborted', () => {
    const rollout = useRollout()

    it('are over for good, even if a deploy interrupted them', async () => {
      const { bench, receive, caught, step, deeds, source } = rollout
      receive({ payload: source })
      await step('approval')
      await bench.deploy()
      await step('approval')
      const error = caught()
      receive({ topic: 'abort' })
      ;(await error).should.match(/REFUSED: 1 of 3 devices.*right/)
      await bench.deploy()
      await bench.send({ topic: 'abort' }).should.be.rejectedWith({ code: 'REFUSED' })
      deeds('uploadFirmware').should.deepEqual([1, 1, 0])
    })
  })

  describe('of a Buffer', () => {
    const rollout = useRollout({ version: 'v2.0.0' })

    it('require it again if it was not sent to all, and report to whom it was not', async () => {
      const { bench, receive, next, caught, step, deeds, source, journals } = rollout
      const payload = await readFile(source)
      receive({ payload })
      await step('approval')
      await bench.deploy()
      ;(await caught()).should.match(/^INVALID_INPUT: .*Not updated yet: right\. Send the same/)

      receive({ payload })
      should(await step('approval')).containDeep({ wave: 2, next: ['right'] })
      const end = next('out0')
      receive({ topic: 'approve' })
      should((await end).payload).containDeep([{ ok: true }, { ok: true }, { device: 'right', ok: true }])
      deeds('uploadFirmware').should.deepEqual([1, 1, 1])
      deeds('reboot').should.deepEqual([1, 1, 1])

      for (const name of readdirSync(journals)) {
        name.should.match(/\.(journal|rollout)\.json$/)
        readFileSync(join(journals, name)).includes(payload.subarray(-32)).should.be.false()
      }
    })

    it('can be aborted while they wait for it', async () => {
      const { bench, receive, caught, step } = rollout
      await bench.deploy({ version: '' })
      receive({ payload: await readFile(rollout.source) })
      await step('approval')
      await bench.deploy()
      ;(await caught()).should.match(/Not updated yet: right/)
      receive({ topic: 'abort' })
      await eventually(() =>
        readFileSync(join(rollout.journals, 'test.rollout.json'), 'utf8').should.match(/"stopped"/),
      )
      await bench.deploy()
      await bench.send({ topic: 'resume' }).should.be.rejectedWith({ code: 'REFUSED', message: /No update/ })
    })
  })

  describe('of a file that is gone', () => {
    const rollout = useRollout()

    it('continue when it is there again', async () => {
      const { bench, receive, next, caught, step, deeds, source } = rollout
      receive({ payload: source })
      await step('approval')
      rmSync(source)
      await bench.deploy()
      ;(await caught()).should.match(
        /^INVALID_INPUT: .*artifact cannot be read.*Not updated yet: right\..*resume/,
      )
      await writeArtifact(source, { version: 'v2.0.0', size: 400_000 })
      receive({ topic: 'resume' })
      await step('approval')
      const end = next('out0')
      receive({ topic: 'approve' })
      should((await end).payload).containDeep([{ ok: true }, { ok: true }, { ok: true }])
      deeds('reboot').should.deepEqual([1, 1, 1])
    })
  })
})
