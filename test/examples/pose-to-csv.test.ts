import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example pose-to-csv', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const file = join(folder, 'poses.csv')
  const example = useExample('pose-to-csv', [8093], (nodes) =>
    nodes.map((node) => (node['filename'] ? { ...node, filename: file } : node)),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n')

  it('writes a row for each pose below one header', async () => {
    await eventually(() => lines().length.should.be.above(60))
    const [header, ...rows] = lines()
    should(header).equal('time,x,y,z,qx,qy,qz,qw')
    const times = rows.map((row) => {
      const [time = '', ...numbers] = row.split(',')
      numbers.map(Number).filter(Number.isFinite).length.should.equal(7, row)
      return Date.parse(time)
    })
    for (const [index, time] of times.slice(1).entries()) {
      // A device that pauses skips poses.
      const steps = (time - (times[index] ?? 0)) / 40
      steps.should.be.approximately(Math.max(1, Math.round(steps)), 0.03)
    }
  }).timeout(20_000)

  it('shows the last pose, and starts a new file', async () => {
    const { answers, press } = example()
    await answers('csv-show', /qw: -?0\.\d+/)
    const before = lines().length
    await press('csv-new')
    await eventually(() => {
      const now = lines()
      now.length.should.be.below(before)
      should(now[0]).equal('time,x,y,z,qx,qy,qz,qw')
    })
  })
})
