import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example log-to-file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const file = join(folder, 'vision-device.log')
  const example = useExample('log-to-file', [8089], (nodes) =>
    nodes.map((node) => (node['filename'] ? { ...node, filename: file } : node)),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))
  const text = () => readFileSync(file, 'utf8')

  it('writes every entry as a line, and shows the end of the file', async () => {
    await eventually(() => should(text().split('\n').length).be.above(10))
    for (const line of text().trimEnd().split('\n'))
      line.should.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z \w+\.log [A-Z]+ dev_\w+: .+$/)
    const { answers, output } = example()
    await answers('logfile-show', /disparity image computed/)
    const shown = output().split('last lines]').at(-1) ?? ''
    const lines = shown.split('\n').filter((line) => /^\d{4}-\d\d-\d\dT.* \w+\.log /.test(line))
    lines.length.should.be.within(2, 10)
  }).timeout(20_000)

  it('writes a line where entries are missing', async () => {
    await example().press('logfile-full')
    await eventually(() => text().should.match(/^--- Entries of (camera|stereo)\.log .* missing here/m))
  })
})
