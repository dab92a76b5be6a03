import should from 'should'
import { images, overlay } from '../../lib'
import { dataUrlOf, pngOf } from '../../lib/images/picture'
import { pictureDetails } from '../../nodes/pictures/found'
import { useBench } from '../support/bench'

/** The SVG file behind the address of an image. */
const svgIn = (picture: unknown): string => {
  const [, content = ''] = String(picture).split('data:image/svg+xml;base64,')
  return Buffer.from(content, 'base64').toString()
}

describe('call-service that draws its result', () => {
  const fields = { node: 'dev_april_tag_detect', service: 'detect', draws: true }
  const args = { tags: [], pose_frame: 'camera' }
  const bench = useBench(
    { type: 'vision-call-service', ...fields, args: JSON.stringify(args) },
    {
      device: {
        imagePort: 0,
        scenario: { scene: { detection: { noise: 0 } }, image_view: 'scene' },
      },
    },
  )
  let left: images.Image
  let png: Buffer
  before(async () => {
    const link = images.openImages({
      ...{ host: '127.0.0.1', port: bench.device.ports.images?.port ?? 0 },
      wanted: { left: true },
    })
    const { value } = await link.next()
    await link.close()
    if (!value?.left) throw new Error('no left image')
    left = value.left
    png = await pngOf(left)
  })
  const message = () => ({ payload: png, images: { left: pictureDetails(left) } })

  it('has the picture of the message with everything that was found, where the cell has it', async () => {
    const { payload, picture } = await bench.send(message())
    const svg = svgIn(picture)
    svg.should.containEql(`href="${dataUrlOf(png)}"`)
    // The figures are compared with the truth of the cell in test/overlay/cell-truth.test.ts.
    const { figures } = overlay.overlayOf(payload, left)
    figures.length.should.be.aboveOrEqual(4)
    for (const { lines } of figures)
      for (const { u, v } of lines[0]?.points ?? [])
        svg.should.containEql(`${Number(u.toFixed(2))} ${Number(v.toFixed(2))}`)
  })

  it('draws over what a service before has drawn, and over one of several parts', async () => {
    const first = await bench.send(message())
    const second = await bench.send(first)
    svgIn(second['picture']).should.containEql('href="data:image/svg+xml;base64,')
    const parts = await bench.send({ ...message(), payload: { left: dataUrlOf(png), depth: png } })
    svgIn(parts['picture']).should.containEql(`href="${dataUrlOf(png)}"`)
  })

  it('calls nothing where there is no picture to draw over', async () => {
    const calls = () => bench.device.calls().filter(({ operation }) => operation === 'callService').length
    const before = calls()
    for (const wrong of [{}, { payload: png }, { ...message(), payload: Buffer.from('GIF8') }])
      await bench
        .send({ ...wrong })
        .should.be.rejectedWith({ code: 'INVALID_INPUT', message: /left picture/ })
    should(calls()).equal(before)
  })

  it('draws poses of the external frame by the calibration on the device', async () => {
    const external = { ...args, pose_frame: 'external' }
    await bench.deploy({ args: JSON.stringify(external) })
    const url = `${bench.device.url}/api/v2/pipelines/0/nodes/dev_hand_eye_calibration/services/set_calibration`
    const pose = { position: { x: 0.1, y: 0, z: 0 }, orientation: { w: 1, x: 0, y: 0, z: 0 } }
    const { status } = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ args: { pose, robot_mounted: false } }),
    })
    should(status).equal(200)
    const drawn = svgIn((await bench.send(message()))['picture'])
    await bench.deploy({ args: JSON.stringify(args) })
    const places = (svg: string) => svg.match(/data-kind="tag"/g)?.length
    should(places(drawn)).equal(places(svgIn((await bench.send(message()))['picture'])))
  })
})
