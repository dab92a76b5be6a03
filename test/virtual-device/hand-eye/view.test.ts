import 'should'
import { request } from 'undici'
import { grid, overBin, useCell } from './use-cell'

describe('the view of the camera as a picture', () => {
  const cell = useCell({ variant: 'multi' })
  const drawn = async () => (await cell.picture()).text

  it('is an SVG for this machine only', async () => {
    const { status, headers, text } = await cell.picture()
    status.should.equal(200)
    headers.get('content-type')?.should.equal('image/svg+xml; charset=utf-8')
    ;(headers.get('access-control-allow-origin') === null).should.be.true()
    text.should.startWith('<svg xmlns="http://www.w3.org/2000/svg"').and.endWith('</svg>')
    for (const path of ['/virtual/view.svg', '/virtual/cell']) {
      const { statusCode, body } = await request(cell.api.device.url + path, {
        headers: { host: 'evil.example' },
      })
      await body.dump()
      statusCode.should.equal(403)
      ;(await cell.api.send('GET', `${path}?pipeline=1`)).status.should.equal(200)
      ;(await cell.api.send('GET', `${path}?pipeline=3`)).status.should.equal(404)
      ;(await cell.api.send('GET', `${path}?pipeline=0&pipeline=1`)).status.should.equal(404)
    }
  })

  it('shows a grid that was not detected yet', async () => {
    ;(await drawn()).should.containEql('no pose was told yet').and.containEql('Grid in view: 0.94 m away')
  })

  it('shows the grid and the tags, and that it was detected', async () => {
    await cell.set(grid)
    await cell.setPose(0, overBin())
    const picture = await drawn()
    picture.should.containEql('set_pose: Grid detected, pose stored.').and.containEql('>36h11_1</text>')
    // The board, its black squares, three tags of two squares each, and the outline.
    picture.match(/<polygon/g)?.length.should.equal(1 + 59 + 6 + 1)
    picture.match(/<line /g)?.length.should.equal(2)
  })

  it('shows what is outside the image, and says so', async () => {
    await cell.setPose(0, overBin())
    await cell.setPose(1, overBin([28, 0, 0]))
    const picture = await drawn()
    picture.should.match(/not wholly in the picture, but leaves it at the \w+/)
    picture.should.not.match(/<line /)
    const points = [...picture.matchAll(/points="([^"]*)"/g)].flatMap(([, list = '']) =>
      list.split(' ').map((point) => point.split(',').map(Number)),
    )
    points.some(([x = 0, y = 0]) => x < 0 || y < 0 || x > 1280 || y > 960).should.be.true()
  })

  it('covers the grid if the scenario does', async () => {
    await cell.setPose(0, overBin())
    cell.api.device.setScenario({ grid_visible: false })
    const picture = await drawn()
    picture.should.containEql('it is covered')
    // A cloth, three tags of two squares each, and the outline.
    picture.match(/<polygon/g)?.length.should.equal(1 + 6 + 1)
  })

  it('draws nothing behind the camera', async () => {
    await cell.setPose(0, overBin())
    await cell.setPose(1, overBin([180, 0, 0]))
    const picture = await drawn()
    picture.should.containEql('behind the camera').and.not.match(/<polygon/)
    picture.should.not.match(/NaN|Infinity/)
    // The direction in which to look for it.
    picture.should.match(/<path [^>]*transform="translate/)
  })

  it('writes names from a scenario as text', async () => {
    cell.setCell({ tags: [{ id: '<script>&"', size: 0.05 }] })
    ;(await drawn()).should.containEql('&lt;script&gt;&amp;&quot;').and.not.containEql('<script')
  })
})
