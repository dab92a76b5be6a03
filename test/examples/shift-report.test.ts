import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { useExample } from '../support/example'

describe('the example shift-report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const file = join(folder, 'shift-report.csv')
  const example = useExample('shift-report', [8127], (nodes) =>
    nodes.map((node) => {
      if (node['filename']) return { ...node, filename: file }
      return node.id === 'shift-clock' ? { ...node, repeat: '0.1' } : node
    }),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('sums up the samples of each shift in a line, including those without an answer', async () => {
    const { answers, press } = example()
    await answers('shift-end', /report\][^]*answered: [1-9][^]*fps_least: 2\d/)
    await press('shift-out')
    await answers('shift-end', /report\][^]*samples: [1-9]\d*,\s+answered: 0\b/)
    await press('shift-in')
    await answers('shift-end', /report\][^]*answered: [1-9]/)

    const [header, ...rows] = readFileSync(file, 'utf8').trimEnd().split('\n')
    should(header).equal(
      'end,shift,samples,answered,fps_least,fps_mean,fps_most,temp_least,temp_mean,temp_most',
    )
    for (const row of rows) {
      const [end = '', shift, samples, answered, ...values] = row.split(',')
      end.should.match(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
      should(shift).equal('trial')
      Number(answered).should.be.belowOrEqual(Number(samples))
      const [fpsLeast, fpsMean, fpsMost, ...temperatures] = values.map(Number)
      if (answered === '0') values.should.deepEqual(['', '', '', '', '', ''])
      else [fpsLeast, fpsMean, fpsMost].should.deepEqual([fpsLeast, fpsMean, fpsMost].sort((one = 0, other = 0) => one - other))
      temperatures.should.have.length(3)
    }
  })
})
