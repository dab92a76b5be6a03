import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import should from 'should'
import { openValue, type StorageError } from '../../lib/kernel/storage'
import { CalibrationAges, SeenCalibrations } from '../../nodes/cell-agent/kept-files'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { eventually } from '../support/eventually'
import { useFolder } from '../virtual-device/support/temporary-folder'
import { startCell, type TestCell } from './cell'

interface Calibration {
  at: null
  errorMm: number | null
  since: string
  sinceIs: string
}

/** Arguments of `set_calibration`. @param x metres */
const given = (x: number) => ({
  pose: { position: { x, y: 0, z: 0.5 }, orientation: { x: 0, y: 0, z: 0, w: 1 } },
  robot_mounted: false,
})

describe('the age of a calibration in the state of a cell', function () {
  this.timeout(120_000)
  let device: VirtualDevice
  let cell: TestCell
  before(async () => {
    device = await startVirtualDevice({ port: 0 })
    await setOutside(0.1)
    cell = await startCell(
      { left: device.url },
      { maySet: true, services: 'dev_hand_eye_calibration/set_calibration' },
    )
  })
  after(async () => {
    await cell.stop()
    await device.stop()
  })

  /** Somebody else gives the device a calibration. */
  async function setOutside(x: number) {
    const path = '/api/v2/pipelines/0/nodes/dev_hand_eye_calibration/services/set_calibration'
    const answer = await fetch(device.url + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ args: given(x) }),
    })
    should(await answer.json()).match({ response: { success: true } })
  }
  const shown = (isIt: (calibration: Calibration) => void) =>
    eventually(() => {
      const { devices } = cell.state() as { devices: { calibration: Calibration | null }[] }
      const { calibration } = devices[0] ?? {}
      should(calibration).not.be.oneOf(null, undefined)
      isIt(calibration as Calibration)
      return calibration as Calibration
    })
  /** A command after which the cell looks at the settings again. */
  const look = async (fps: number) => {
    const args = { parameters: { dev_camera: { fps } } }
    const id = await cell.ask({ do: 'set-parameters', device: 'left', args })
    should(await cell.final(id)).match({ state: 'done' })
  }
  const isRecent = ({ since }: Calibration) => should(Date.now() - Date.parse(since)).be.within(0, 60_000)

  let last: Calibration
  it('is that of the first look, for one that was there before, and no older', async () => {
    last = await shown(({ sinceIs }) => should(sinceIs).equal('seen'))
    should(last.at).equal(null)
    isRecent(last)
  })

  it('is new where another calibration has taken its place, and stays as long as that does', async () => {
    await setOutside(0.2)
    await look(10)
    const changed = await shown(({ sinceIs }) => should(sinceIs).equal('changed'))
    should(Date.parse(changed.since)).be.above(Date.parse(last.since))
    const { n: before } = cell.state() as { n: number }
    await look(11)
    await eventually(() => should((cell.state() as { n: number }).n).be.above(before))
    should(await shown(() => undefined)).deepEqual(changed)
    last = changed
  })

  it('survives a kill', async () => {
    await cell.kill()
    const { boot: before } = cell.state() as { boot: string }
    await cell.restart()
    await eventually(() => should((cell.state() as { boot: string }).boot).not.equal(before))
    should(await shown(({ sinceIs }) => should(sinceIs).equal('changed'))).deepEqual(last)
  })

  it('is the time at which this cell saved it, where it did', async () => {
    const began = Date.now()
    const args = { node: 'dev_hand_eye_calibration', service: 'set_calibration', args: given(0.3) }
    const id = await cell.ask({ do: 'call-service', device: 'left', args })
    should(await cell.final(id)).match({ state: 'done' })
    const ended = Date.now()
    const { since } = await shown(({ sinceIs }) => should(sinceIs).equal('saved'))
    should(Date.parse(since)).be.within(began, ended)
  })
})

describe('the file with the ages of calibrations', () => {
  const folder = useFolder()
  const file = () => folder.path('ages', 'calibrations.json')
  const ages = async (failed?: (error: StorageError) => void, path = file()) => {
    const report = failed ?? ((error) => should.fail(error, undefined))
    const storage = { file: path, onDamage: report, onFailure: report }
    return new CalibrationAges(await openValue({ ...storage, schema: SeenCalibrations, initial: {} }))
  }

  it('is read again, and knows each device by itself', async () => {
    const first = await (await ages()).seen('s1', 'a', undefined)
    should(first).match({ sinceIs: 'seen' })
    should(await (await ages()).seen('s1', 'a', undefined)).deepEqual(first)
    should(await (await ages()).seen('s2', 'b', undefined)).match({ sinceIs: 'seen' })
    should(await (await ages()).seen('s1', 'b', undefined)).match({ sinceIs: 'changed' })
  })

  it('tells a calibration that came where there was none, and one that was saved again', async () => {
    await (await ages()).seen('s1', '', undefined)
    should(await (await ages()).seen('s1', 'a', undefined)).match({ sinceIs: 'changed' })
    const savedAt = Date.now() + 1000
    const saved = { since: new Date(savedAt).toISOString(), sinceIs: 'saved' }
    should(await (await ages()).seen('s1', 'a', savedAt)).deepEqual(saved)
    should(await (await ages()).seen('s1', 'a', savedAt)).deepEqual(saved)
    // Somebody else has replaced what was saved from here.
    const earlier = Date.now() - 3_600_000
    await (await ages()).seen('s2', 'a', earlier)
    const changed = await (await ages()).seen('s2', 'c', earlier)
    should(changed).match({ sinceIs: 'changed' })
    should(await (await ages()).seen('s2', 'c', earlier)).deepEqual(changed)
  })

  it('comes from the last good copy where somebody has spoilt it, and says when it cannot be written', async () => {
    await (await ages()).seen('s1', 'a', undefined)
    writeFileSync(file(), '{"s1":{"print":5}}')
    const errors: StorageError[] = []
    const again = await ages((error) => errors.push(error))
    should(await again.seen('s1', 'b', undefined)).match({ sinceIs: 'changed' })
    should(JSON.parse(readFileSync(file(), 'utf8'))).match({ s1: { print: 'b' } })
    const away = await ages((error) => errors.push(error), join(file(), 'x.json'))
    should(await away.seen('s1', 'a', undefined)).match({ sinceIs: 'seen' })
    should(errors).match([{ code: 'DAMAGED' }, { code: 'NOT_WRITTEN' }])
  })
})
