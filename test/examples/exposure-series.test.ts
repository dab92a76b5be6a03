import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example exposure-series', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const example = useExample('exposure-series', [8161, 8162], (nodes) =>
    nodes.map((node) =>
      node.id === 'exposure-name'
        ? {
            ...node,
            rules: [{ t: 'set', p: 'filename', pt: 'msg', to: `'${folder}/' & number & '.png'`, tot: 'jsonata' }],
          }
        : node,
    ),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('takes a brighter picture at each longer time', async () => {
    const { press, output } = example()
    await press('exposure-go')
    const brightness = await eventually(() => {
      const found = [...output().matchAll(/(\d+) ms: brightness (\d\.\d\d)/g)]
      found.length.should.equal(5)
      return found.map(([, , value]) => Number(value))
    })
    brightness.should.eql([...brightness].sort((one, other) => one - other))
    should(Number(brightness.at(-1)) / Number(brightness[0])).be.above(2, String(brightness))
    await eventually(() => readdirSync(folder).length.should.equal(5))
  })
})
