import 'should'
import { compareBackups, differencesAsText } from '../../lib/system'

const backup = {
  pipelines: { '0': { nodes: { dev_camera: { parameters: { fps: 25, exp_auto: true } } } } },
  load_carriers: [
    { id: 'bin_1', outer_dimensions: { x: 0.4, y: 0.3, z: 0.2 } },
    { id: 'bin_2', outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 } },
  ],
  grippers: [],
}
const changed = (change: (copy: typeof backup) => void) => {
  const copy = structuredClone(backup)
  change(copy)
  return copy
}

describe('comparing backups', () => {
  it('finds nothing between equal ones, whatever the order of their records', () => {
    compareBackups(backup, structuredClone(backup)).should.deepEqual([])
    const reversed = changed(({ load_carriers }) => load_carriers.reverse())
    compareBackups(backup, reversed).should.deepEqual([])
  })

  it('lists each change with its path, before and after', () => {
    const after = changed(({ pipelines, load_carriers: [, second] }) => {
      pipelines[0].nodes.dev_camera.parameters.fps = 10
      if (second) second.outer_dimensions.x = 0.5
    })
    compareBackups(backup, after).should.deepEqual([
      { path: 'pipelines.0.nodes.dev_camera.parameters.fps', change: 'changed', before: 25, after: 10 },
      { path: 'load_carriers[bin_2].outer_dimensions.x', change: 'changed', before: 0.6, after: 0.5 },
    ])
  })

  it('lists what is only in one of them', () => {
    const after = {
      ...backup,
      load_carriers: backup.load_carriers.slice(1),
      regions_of_interest: [{ id: 'a' }],
    }
    compareBackups(backup, after).should.deepEqual([
      { path: 'load_carriers[bin_1]', change: 'removed', before: backup.load_carriers[0] },
      { path: 'regions_of_interest', change: 'added', after: [{ id: 'a' }] },
    ])
  })

  it('compares lists without ids, or with the same id twice, by position', () => {
    compareBackups({ ids: ['a', 'b'] }, { ids: ['a', 'c', 'd'] }).should.deepEqual([
      { path: 'ids[1]', change: 'changed', before: 'b', after: 'c' },
      { path: 'ids[2]', change: 'added', after: 'd' },
    ])
    compareBackups([{ id: 'a' }, { id: 'a', x: 1 }], [{ id: 'a' }, { id: 'a', x: 2 }]).should.deepEqual([
      { path: '[1].x', change: 'changed', before: 1, after: 2 },
    ])
  })

  it('reports if the type of a value has changed', () => {
    for (const [before, after] of [
      [null, {}],
      [[], {}],
      ['1', 1],
      [undefined, null],
    ])
      compareBackups({ a: before }, { a: after }).should.deepEqual([
        { path: 'a', change: 'changed', before, after },
      ])
  })

  it('can be printed, one line per difference', () => {
    const differences = compareBackups(
      { a: 25, b: 'x', c: { d: true } },
      { a: 10, b: 'y', e: [{ id: 'bin' }] },
    )
    differencesAsText(differences).should.equal(
      'a: 25 → 10\nb: "x" → "y"\nc: {"d":true} → –\ne: – → [{"id":"bin"}]',
    )
  })
})
