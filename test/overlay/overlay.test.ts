import should from 'should'
import { images, overlay, robotics } from '../../lib'

const { overlayOf } = overlay
const camera = { width: 1280, height: 960, focalLength: 1000, principalPoint: { u: 639.5, v: 479.5 } }
const facing = { w: 1, x: 0, y: 0, z: 0 }
const at = (x: number, y: number, z: number) => ({ position: { x, y, z }, orientation: facing })
const tag = { id: '36h11_5', size: 0.1, pose: at(0, 0, 1), pose_frame: 'camera' }

describe('an overlay', () => {
  it('has the outline of a tag where the camera sees it', () => {
    const { figures, found, notDrawn } = overlayOf({ tags: [tag] }, camera)
    const [{ lines, label } = { lines: [], label: undefined }] = figures
    should(lines[0]).eql({
      isClosed: true,
      points: [
        { u: 589.5, v: 429.5 },
        { u: 689.5, v: 429.5 },
        { u: 689.5, v: 529.5 },
        { u: 589.5, v: 529.5 },
      ],
    })
    should(label).eql({ u: 639.5, v: 479.5 })
    should([found, notDrawn]).eql([{ tag: 1 }, { external: 0, outside: 0 }])
  })

  it('draws what is in the external frame if it knows where the camera is there, and counts it otherwise', () => {
    const there = at(1, 2, 0)
    const external = { ...tag, pose_frame: 'external', pose: at(1, 2, 1) }
    const plain = overlayOf({ tags: [tag] }, camera).figures
    should(overlayOf({ tags: [external] }, camera, { camera: there }).figures).eql(plain)
    should(overlayOf({ tags: [external, tag] }, camera)).match({
      found: { tag: 2 },
      notDrawn: { external: 1 },
      figures: [{ kind: 'tag' }],
    })
  })

  it('counts what is behind the camera or beside the picture', () => {
    const away = [at(0, 0, -1), at(5, 0, 1), at(0, 0, 0.001)].map((pose) => ({ ...tag, pose }))
    should(overlayOf({ tags: away }, camera).notDrawn).eql({ external: 0, outside: 3 })
  })

  it('is an SVG file of the shape of the picture that contains names as texts only', () => {
    const id = `<script>alert(1)</script>&"'\u0000`
    const { svg } = overlayOf({ tags: [{ ...tag, id }] }, camera, { title: '<b>', theme: 'light' })
    svg.should.startWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="-0.5 -0.5 1280 960"')
    svg.should.containEql('<title>&lt;b&gt;</title>')
    svg.should.containEql('&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;')
    svg.should.not.match(/<script|NaN|undefined|href|\bon\w+=/)
  })

  it('differs in light and dark', () => {
    const drawn = (theme: overlay.OverlayTheme) => overlayOf({ tags: [tag] }, camera, { theme }).svg
    drawn('light').should.not.equal(drawn('dark'))
  })

  it('has the corners of a grid and the region of a measurement', () => {
    const region = { offset_x: 100, offset_y: 50, width: 200, height: 100 }
    const grid = [
      { u: 10, v: 20 },
      { u: 30, v: 20 },
    ]
    const { figures } = overlayOf({ region_of_interest_2d: region }, camera, { grid })
    should(figures.map(({ kind }) => kind)).eql(['region', 'grid', 'grid'])
    should(figures[0]?.lines[0]?.points[2]).eql({ u: 299.5, v: 149.5 })
  })

  it('tolerates any answer, however odd or long', () => {
    const odd = [
      ...[null, 7, 'x', [], { tags: 7 }, { tags: [null, 7, {}, { pose: 1 }] }, { grasps: [[]] }],
      { tags: [{ ...tag, pose: { position: { x: NaN, y: 0, z: 1 }, orientation: facing } }] },
      { tags: [{ ...tag, pose: { ...tag.pose, orientation: { w: 0, x: 0, y: 0, z: 0 } } }] },
      { tags: [{ ...tag, size: Infinity }] },
      // The grasp of a template is in the frame of its object.
      { grasps: [{ pose: at(0, 0, 1) }] },
    ]
    for (const answer of odd) should(overlayOf(answer, camera).figures).eql([])
    const many = { tags: Array.from({ length: 100_000 }, () => tag) }
    overlayOf(many, camera).svg.length.should.be.below(200_000)
  })

  it('refuses a camera with impossible numbers', () => {
    for (const wrong of [{ focalLength: 0 }, { width: NaN }, { principalPoint: { u: Infinity, v: 0 } }])
      should(() => overlayOf({}, { ...camera, ...wrong })).throw(RangeError)
  })

  it('agrees with the pixels that a depth image has for a point', () => {
    const point = { x: 0.1, y: -0.05, z: 1.25 }
    const pixel = overlay.pixelOf(camera, point)
    should(pixel).eql({ u: 719.5, v: 439.5 })
    const data = Buffer.alloc(2 * 1280 * 960)
    const [column, row] = [719, 439]
    data.writeUInt16LE(Math.round((1000 * 0.16) / 1.25 / 0.0625), 2 * (row * 1280 + column))
    const image = {
      ...camera,
      encoding: 'mono16',
      data,
      scale: 0.0625,
      offset: 0,
      invalid: 0,
      baseline: 0.16,
    }
    const found = images.pointAt(image, column, row)
    should(robotics.distance(found ?? point, point)).be.below(0.001)
    should(found).be.ok()
  })
})
