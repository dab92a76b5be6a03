import should from 'should'
import type { Variant } from '../../lib/contract'
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'
import { useEditor, type Editor } from '../support/editor'

const tab = { id: 'tab', type: 'tab', label: 'Cell', disabled: false, info: '' }
const bin = {
  id: 'bin',
  outer_dimensions: { x: 0.6, y: 0.4, z: 0.2 },
  inner_dimensions: { x: 0.56, y: 0.36, z: 0.19 },
}
const camera = { pose_frame: 'camera' }
const cup = { suction_surface_length: 0.02, suction_surface_width: 0.02 }
const everyBox = [
  { type: 'RECTANGLE', rectangle: { min_dimensions: { x: 0.01, y: 0.01 }, max_dimensions: { x: 1, y: 1 } } },
]
const region = { id: 'part', offset_x: 400, offset_y: 300, width: 300, height: 200 }

/** A service that looks for something, and the kinds that are drawn over the picture. */
interface Looking {
  node: string
  service: string
  args: object
  draws: string[]
  only?: Variant
}

const looking: Looking[] = [
  { node: 'april_tag_detect', service: 'detect', args: { ...camera, tags: [] }, draws: ['tag'] },
  { node: 'qr_code_detect', service: 'detect', args: { ...camera, tags: [] }, draws: ['tag'] },
  {
    ...{ node: 'load_carrier', service: 'detect_load_carriers', draws: ['loadCarrier'] },
    args: { ...camera, load_carrier_ids: ['bin'] },
  },
  {
    ...{ node: 'load_carrier', service: 'detect_filling_level', draws: ['loadCarrier'] },
    args: { ...camera, load_carrier_ids: ['bin'] },
  },
  { node: 'itempick', service: 'compute_grasps', args: { ...camera, ...cup }, draws: ['grasp'] },
  {
    ...{ node: 'boxpick', service: 'detect_items', draws: ['item'] },
    args: { ...camera, item_models: everyBox },
  },
  {
    ...{ node: 'boxpick', service: 'compute_grasps', draws: ['item', 'grasp'] },
    args: { ...camera, ...cup, item_models: everyBox },
  },
  {
    ...{ node: 'silhouettematch', service: 'detect_object', draws: ['object'] },
    args: { ...camera, object_to_detect: { object_id: 'part' } },
  },
  {
    ...{ node: 'cadmatch', service: 'detect_object', draws: ['object'], only: 'multi' },
    args: { ...camera, template_id: 'part' },
  },
  {
    ...{ node: 'measure', service: 'measure_depth', draws: ['region'] },
    args: { ...camera, region_of_interest_2d: region },
  },
]

for (const variant of ['single', 'multi'] as const)
  describe(`"Try it now" on the ${variant} variant`, () => {
    let device: VirtualDevice
    const put = async (path: string, body: object) => {
      const { status } = await fetch(`${device.url}/api/v2/${path}`, {
        method: 'PUT',
        ...(body instanceof FormData
          ? { body }
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      status.should.equal(200, path)
    }
    const there = looking.filter(({ only }) => only === undefined || only === variant)

    before(async () => {
      const scenario = { image_view: 'scene' } as const
      device = await startVirtualDevice({ port: 0, imagePort: 0, variant, scenario })
      const services = (node: string) => `pipelines/0/nodes/dev_${node}/services`
      await put('nodes/dev_load_carrier_db/services/set_load_carrier', { args: { load_carrier: bin } })
      for (const node of ['silhouettematch', 'cadmatch'].filter((name) =>
        there.some((each) => each.node === name),
      )) {
        const form = new FormData()
        form.set('file', new Blob(['part']), 'part.bin')
        await put(`templates/dev_${node}/part`, form)
      }
      for (const { node } of there.filter(({ node }) => /pick$|^cadmatch$|_detect$/.test(node)))
        await put(`${services(node)}/start`, { args: {} })
      const plane = { plane_estimation_method: 'STEREO', stereo: { plane_preference: 'CLOSEST' } }
      await put(`${services('silhouettematch')}/calibrate_base_plane`, { args: { ...camera, ...plane } })
    })
    after(() => device.stop())

    const open = useEditor()
    const tried = async (editor: Editor) => {
      await editor.page.getByRole('button', { name: 'Try it now' }).click()
      await editor.page.getByRole('button', { name: 'Call it' }).click()
      return editor.page.locator('.vision-view')
    }

    for (const { node, service, args, draws } of there)
      it(`draws what ${service} of ${node} has found over the picture`, async () => {
        const editor = await open([
          tab,
          {
            ...{
              id: 'device',
              type: 'vision-device-config',
              name: 'Cell 1',
              address: device.url,
              deadline: 60,
            },
            imagePort: device.ports.images?.port,
          },
          {
            ...{
              id: 'n',
              type: 'vision-call-service',
              z: 'tab',
              x: 200,
              y: 100,
              wires: [[]],
              device: 'device',
            },
            ...{ pipeline: '0', node: `dev_${node}`, service, args: JSON.stringify(args), argsType: 'json' },
          },
        ])
        await editor.edit('n')
        const view = await tried(editor)
        await view.getByRole('img', { name: /^Left image, / }).waitFor()
        await view.locator('.vision-view-drawing:visible').waitFor()
        const drawing = (await view.locator('.vision-view-drawing').getAttribute('src')) ?? ''
        const svg = decodeURIComponent(drawing.slice(drawing.indexOf(',') + 1))
        for (const kind of draws) svg.should.containEql(`data-kind="${kind}"`)
        const remarks = (await view.locator('.vision-view-remarks').textContent()) ?? ''
        remarks.should.not.match(/Not drawn|Outside|found no results/)
        await view.scrollIntoViewIfNeeded()
        await editor.screenshot(`found-${variant}-${node}-${service}`, view)
        await editor.close('Cancel')
      })

    it('is tested with every service that looks for something', async () => {
      const detecting = await servicesThatLook(device)
      const known = there.map(({ node, service }) => `${node} ${service}`)
      detecting.should.not.be.empty()
      for (const each of detecting) known.should.containEql(each)
    })
  })

/** Services of pipeline 0 whose answer has a list of things that are found. */
async function servicesThatLook({ url }: VirtualDevice): Promise<string[]> {
  const get = async (path: string) => (await fetch(`${url}/api/v2/${path}`)).json() as Promise<unknown>
  const nodes = (await get('pipelines/0/nodes')) as { name: string; services: string[] }[]
  const found: string[] = []
  for (const { name, services } of nodes)
    for (const service of services) {
      const { response } = (await get(`pipelines/0/nodes/${name}/services/${service}`)) as {
        response: object
      }
      const looks = /^(detect|compute|measure)/.test(service)
      if (looks && Object.keys(response).length > 0) found.push(`${name.replace(/^dev_/, '')} ${service}`)
    }
  should(found.length).be.above(0)
  return found
}
