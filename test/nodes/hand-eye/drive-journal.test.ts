import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { identity, type Attempt } from '../../../lib/robotics'
import { DriveJournal, type StoredCalibration } from '../../../nodes/hand-eye-calibration/drive/settings'

const pose = identity()
const taught: Attempt = { purpose: 'taught', robot: pose, grid: pose }
const kept: StoredCalibration = {
  ...{ camera: pose, grid: pose, looks: [pose, pose], robotMounted: true },
  at: '2026-01-01T00:00:00.000Z',
}

describe('the journal of a robot that drives itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drive-journal-'))
  after(() => rm(folder, { recursive: true, force: true }))
  /** The journal of a new process, which finds this file. */
  const found = (text: string) => {
    writeFileSync(join(folder, 'node.json'), text)
    rmSync(join(folder, 'node.json.copy'), { force: true })
    return new DriveJournal(folder, 'node')
  }

  it('goes on in another process, and keeps what was saved', async () => {
    const first = new DriveJournal(folder, 'one')
    await first.begin('grid')
    await first.append(taught)
    await first.finish(kept)
    const second = new DriveJournal(folder, 'one')
    should(await second.read()).eql([taught])
    should(await second.canContinue('grid')).equal('yes')
    should(await second.canContinue('another grid')).equal('other-settings')
    await second.keep()
    await second.begin('grid')
    should(await new DriveJournal(folder, 'one').saved()).eql(kept)
    should(await new DriveJournal(folder, 'one').isUnderWay()).be.false()
  })

  it('reads a file of an earlier version, and its last good copy if it is damaged', async () => {
    const stored = { version: 1, settings: 'grid', attempts: [taught], isUnderWay: true }
    const journal = found(JSON.stringify(stored))
    should(await journal.canContinue('grid')).equal('yes')
    await journal.append({ ...taught, purpose: 'shift' })
    writeFileSync(join(folder, 'node.json'), '{"version":1,"att')
    const damages: unknown[] = []
    const again = new DriveJournal(folder, 'node', (damage) => damages.push(damage))
    should(await again.read()).have.length(2)
    should(damages).match([{ key: 'storage-copy' }])
  })

  const damaged = {
    nothing: '',
    'half a file': '{"version":1,"att',
    null: 'null',
    'a list': '[]',
    'another version': '{"version":2,"attempts":[]}',
    'no attempts': '{"version":1}',
    'attempts that are none': '{"version":1,"attempts":[{"purpose":"taught","robot":{"position":7}}]}',
    'a result that is null': '{"version":1,"attempts":[],"saved":null}',
    'a result that is a number': '{"version":1,"attempts":[],"pending":5}',
    'a result with one look': JSON.stringify({ version: 1, attempts: [], saved: { ...kept, looks: [pose] } }),
    'a result without its date': JSON.stringify({ version: 1, attempts: [], saved: { ...kept, at: 5 } }),
    'a result without a pose': JSON.stringify({ version: 1, attempts: [], saved: { ...kept, camera: null } }),
  }
  for (const [what, text] of Object.entries(damaged))
    it(`names the file with ${what}, leaves it as it is, and begins anew on request`, async () => {
      const journal = found(text)
      for (const ask of [() => journal.read(), () => journal.isUnderWay(), () => journal.saved()])
        await ask().should.be.rejectedWith({ code: 'INVALID_INPUT', message: /node\.json/ })
      readFileSync(join(folder, 'node.json'), 'utf8').should.equal(text)
      await journal.begin('grid')
      should(await new DriveJournal(folder, 'node').read()).eql([])
    })
})
