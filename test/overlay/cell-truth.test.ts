import should from 'should'
import { createClient, images, overlay, type Client } from '../../lib'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'

type Point = { u: number; v: number }

/** Pixels. */
const exact = 2

describe('the overlay compared with the images of the virtual cell', () => {
  let device: VirtualDevice
  let client: Client
  let set: images.ImageSet

  before(async () => {
    device = await startVirtualDevice({
      ...{ port: 0, imagePort: 0, seed: 7 },
      scenario: { scene: { detection: { noise: 0 } }, image_view: 'scene' },
    })
    client = createClient({ address: device.url })
    const put = (node: string, param: string, value: unknown) =>
      client.setParameter({ pipeline: '0', node, param, value })
    await put('dev_stereomatching', 'quality', 'High')
    const link = images.openImages({
      ...{ host: '127.0.0.1', port: device.ports.images?.port ?? 0 },
      wanted: { left: true, disparity: true },
    })
    const { value } = await link.next()
    if (value) set = value
    await link.close()
  })
  after(async () => {
    await client.close()
    await device.stop()
  })

  const call = async (node: string, service: string, args: object): Promise<unknown> => {
    const { response } = await client.callService({ pipeline: '0', node, service, args: { ...args } })
    return response
  }
  const drawn = (answer: unknown, { width, height, focalLength, principalPoint }: images.Image) =>
    overlay.overlayOf(answer, { width, height, focalLength, principalPoint }).figures

  /** The middle of each side of an outline, with the direction out of it. */
  function sidesOf(points: readonly Point[]) {
    const centre = {
      u: points.reduce((sum, { u }) => sum + u, 0) / points.length,
      v: points.reduce((sum, { v }) => sum + v, 0) / points.length,
    }
    return points.map((from, index) => {
      const to = points[(index + 1) % points.length] ?? from
      const length = Math.hypot(to.u - from.u, to.v - from.v)
      const middle = { u: (from.u + to.u) / 2, v: (from.v + to.v) / 2 }
      const normal = { u: (to.v - from.v) / length, v: (from.u - to.u) / length }
      const sign = (middle.u - centre.u) * normal.u + (middle.v - centre.v) * normal.v < 0 ? -1 : 1
      const along = { u: (to.u - from.u) / length, v: (to.v - from.v) / length }
      return { middle, along, out: { u: sign * normal.u, v: sign * normal.v } }
    })
  }

  /** Where the values rise most on the way out of a side, pixels from the side; each is the median of some along it. */
  function edgeAt(
    { middle, along, out }: ReturnType<typeof sidesOf>[number],
    valueAt: (u: number, v: number) => number,
    reach: number,
  ): number {
    const steps = Array.from({ length: 4 * reach + 1 }, (_, index) => index / 2 - reach)
    const profile = steps.map((step) => {
      const values = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((across) =>
        valueAt(
          Math.round(middle.u + step * out.u + across * along.u),
          Math.round(middle.v + step * out.v + across * along.v),
        ),
      )
      const known = values.filter((value) => !Number.isNaN(value)).sort((one, other) => one - other)
      return known[Math.floor(known.length / 2)] ?? NaN
    })
    const changes = steps.map((_, index) => (profile[index + 2] ?? NaN) - (profile[index - 2] ?? NaN))
    const strongest = Math.max(...changes.filter((change) => !Number.isNaN(change)))
    const places = steps.filter((_, index) => (changes[index] ?? 0) >= 0.8 * strongest)
    return places.reduce((sum, place) => sum + place, 0) / places.length
  }

  it('meets the edges of the black borders of tags within two pixels', async () => {
    const { left } = set
    if (!left) throw new Error('no left image')
    const answer = await call('dev_april_tag_detect', 'detect', { tags: [], pose_frame: 'camera' })
    const figures = drawn(answer, left)
    should(figures.length).be.aboveOrEqual(4)
    for (const { lines } of figures)
      for (const side of sidesOf(lines[0]?.points ?? [])) {
        const grey = (u: number, v: number) => left.data[v * left.width + u] ?? NaN
        // From the black border to the white around it, each about six pixels wide.
        should(Math.abs(edgeAt(side, grey, 5))).be.belowOrEqual(exact)
      }
  })

  it('meets the rim of the load carrier within two pixels of the depth image', async () => {
    const { disparity } = set
    if (!disparity) throw new Error('no disparity')
    const model = {
      ...{ id: 'bin', type: 'STANDARD' },
      outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
      inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
    }
    await client.callGlobalService({
      ...{ node: 'dev_load_carrier_db', service: 'set_load_carrier' },
      args: { load_carrier: model },
    })
    const asked = { pose_frame: 'camera', load_carrier_ids: ['bin'] }
    const answer = await call('dev_load_carrier', 'detect_load_carriers', asked)
    const [bin] = drawn(answer, disparity)
    should(bin).match({ kind: 'loadCarrier', name: 'bin' })
    const { data } = await images.depthOf(disparity)
    const depth = (u: number, v: number) => data[v * disparity.width + u] ?? NaN
    // The outer edge of the rim: behind it is the floor, 0.2 m deeper.
    for (const side of sidesOf(bin?.lines[0]?.points ?? []))
      should(Math.abs(edgeAt(side, depth, 12))).be.belowOrEqual(exact)
  })

  it('has the items where the depth image has their surfaces', async () => {
    const { disparity } = set
    if (!disparity) throw new Error('no disparity')
    await call('dev_itempick', 'start', {})
    const cup = { suction_surface_length: 0.02, suction_surface_width: 0.02 }
    const answer = (await call('dev_itempick', 'compute_grasps', { pose_frame: 'camera', ...cup })) as {
      grasps: { pose: { position: { z: number } } }[]
    }
    const figures = drawn(answer, disparity).filter(({ kind }) => kind === 'grasp')
    should(figures.length).be.aboveOrEqual(3)
    figures.forEach(({ label, name }, index) => {
      should(name).equal(String(index + 1))
      const { z = NaN } = images.pointAt(disparity, Math.round(label.u), Math.round(label.v)) ?? {}
      if (!Number.isNaN(z)) should(z).be.approximately(answer.grasps[index]?.pose.position.z ?? 0, 0.006)
    })
  })
})
