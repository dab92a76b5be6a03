import 'should'
import { firmware } from '../../lib'
import { phases, type Phase } from '../../lib/firmware/phases'
import { useFirmware } from './firmware-bench'

describe('the table of phases', () => {
  const bench = useFirmware()
  const write = Reflect.get<firmware.Journal, 'write'>(firmware.Journal.prototype, 'write')
  let entries: firmware.JournalEntry[] = []
  beforeEach(() => {
    entries = []
    firmware.Journal.prototype.write = function (entry) {
      entries.push(entry)
      return write.call(this, entry)
    }
  })
  afterEach(() => {
    firmware.Journal.prototype.write = write
  })

  /** What any look may add, and the end of a run. */
  const always = ['phase', 'to', 'pendingSeen', 'bootSeen', 'report', 'failure']
  const writesOf = (phase: Phase): readonly string[] => (phase === 'done' ? [] : phases[phase].writes)

  /** The phases that the journal went through, each of which follows on the one before as the table says. */
  function way(): Phase[] {
    const [first, ...more] = entries
    let before = first
    for (const entry of more) {
      if (!before || before.phase === 'done') throw new Error('nothing follows on the end')
      const changed = changes(before, entry)
      const allowed = [...always, ...writesOf(before.phase), ...writesOf(entry.phase)]
      changed.filter((name) => !allowed.includes(name)).should.be.empty()
      if (entry.phase !== before.phase) phases[before.phase].next.should.containEql(entry.phase)
      before = entry
    }
    return [...new Set(entries.map(({ phase }) => phase))]
  }
  const changes = (before: object, after: object) =>
    Object.entries({ ...before, ...after })
      .filter(
        ([name]) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
      )
      .map(([name]) => name)

  it('says what follows and what the journal gets, there and back again', async () => {
    const { file } = await bench.artifact()
    const report = await bench.run({
      source: file,
      onUnhealthy: 'rollback',
      onProgress: ({ step }) => {
        if (step === 'reboot') bench.device.setScenario({ stale_nodes: ['dev_stereomatching'] })
      },
    })
    report.should.containDeep({ outcome: 'rolled-back', active: 'v1.1.0' })
    way().should.deepEqual([
      ...['checked', 'saved', 'uploading', 'uploaded', 'rebooting', 'booted'],
      ...['rolling-back', 'rebooting-back', 'done'],
    ])
  })

  it('says it of each part alone', async () => {
    const { file } = await bench.artifact()
    await bench.run({ source: file, mode: 'upload' })
    way().should.deepEqual(['checked', 'saved', 'uploading', 'uploaded', 'done'])
    entries = []
    await bench.run({ mode: 'activate' })
    way().should.deepEqual(['checked', 'saved', 'rebooting', 'booted', 'done'])
    entries = []
    await bench.run({ mode: 'rollback' })
    way().should.deepEqual(['checked', 'saved', 'marking', 'rebooting', 'booted', 'done'])
  })

  it('says of each phase where a run that died in it continues: in a phase from which the end is reached', () => {
    const reached = (phase: string, seen: readonly string[] = []): boolean =>
      phase === 'done' ||
      (!seen.includes(phase) &&
        (phases[phase as keyof typeof phases].next as readonly string[]).some((next) =>
          reached(next, [...seen, phase]),
        ))
    for (const { afterDeath } of Object.values(phases)) reached(afterDeath.at).should.be.true(afterDeath.at)
  })
})
