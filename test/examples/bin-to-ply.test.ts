import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { readPly } from '../images/support/read-ply'
import { useExample } from '../support/example'

describe('the example bin-to-ply', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const example = useExample('bin-to-ply', [8155, 8156], (nodes) =>
    nodes.map((node) =>
      node.type === 'vision-image-receive' ? { ...node, cloudFile: join(folder, '{timestamp}.ply') } : node,
    ),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('writes the points inside the bin, in its own frame, and stops', async () => {
    await example().answers('cloud-go', /\d+ points in \S+\.ply/)
    const [, path = ''] = /\d+ points in (\S+\.ply)/.exec(example().output()) ?? []
    const points = readPly(readFileSync(path))
    points.length.should.be.above(200)
    for (const { x = NaN, y = NaN, z = NaN } of points) {
      should(Math.abs(x)).be.belowOrEqual(0.281)
      should(Math.abs(y)).be.belowOrEqual(0.181)
      z.should.be.within(-0.0951, 0.1051)
    }
    await example().prints(/stopped/)
  })
})
