import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { readPng } from '../images/support/read-png'
import { eventually } from '../support/eventually'
import { useExample } from '../support/example'

describe('the example picture-on-demand', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const file = join(folder, 'picture.png')
  const example = useExample('picture-on-demand', [8157, 8158], (nodes) =>
    nodes.map((node) => (node.type === 'file' ? { ...node, filename: file } : node)),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('takes a picture, proves it, writes it to a file and shows it', async () => {
    const { answers, prints, red } = example()
    await answers('picture-go', /proven: true/)
    await prints(/the robot may move/)
    const { width, height } = readPng(readFileSync(file))
    should([width, height]).eql([1280, 960])
    await eventually(async () => {
      const page = await fetch(`${red.url}/vision-picture`)
      should(page.headers.get('content-type')).match(/image\/png/)
      readPng(Buffer.from(await page.arrayBuffer())).width.should.equal(1280)
    })
  })
})
