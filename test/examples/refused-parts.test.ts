import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { readPng } from '../images/support/read-png'
import { useExample } from '../support/example'

describe('the example refused-parts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-'))
  const example = useExample('refused-parts', [8167, 8168, 1567], (nodes) =>
    // The folder of this test, and a ring of three.
    nodes.map((node) =>
      node.type === 'change'
        ? (JSON.parse(
            JSON.stringify(node).replace('refused/', `${folder}/`).replace('% 20', '% 3'),
          ) as typeof node)
        : node,
    ),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps the pictures of the last refused parts, and what the PLC asked, and no others', async () => {
    const { answers, follows, press } = example()
    await answers('refused-part', /property: 1\b/)
    should(readdirSync(folder)).eql([])
    await press('refused-tilted')
    await answers('refused-part', /property: 2\b[^]*kept/)
    for (let part = 0; part < 4; part++) await follows('refused-part', /\d\d[^]*kept|kept[^]*\d\d/)
    should(readdirSync(folder).sort()).eql(['01.json', '01.png', '02.json', '02.png', '03.json', '03.png'])
    const texts = ['01', '02', '03'].map(
      (name) =>
        JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
          asked: { job: number; request: number }
          quality: number
          acquisition: { proven: boolean }
        },
    )
    for (const { asked, quality, acquisition } of texts) {
      should(asked.job).equal(7)
      quality.should.be.below(0.75)
      acquisition.proven.should.be.true()
    }
    new Set(texts.map(({ asked }) => asked.request)).size.should.equal(3)
    readPng(readFileSync(join(folder, '02.png'))).width.should.equal(1280)
  })
})
