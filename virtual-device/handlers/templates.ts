import type { Device } from '../device/device'
import { assertLicensed } from '../device/permissions'
import { Refusal } from '../refusal'
import { cut } from '../shown'
import { templatesOf } from '../storage/collections'
import { StoredFiles } from './stored-files'
import type { Handlers } from './handler'

/** Most templates of each node. */
const capacities: Readonly<Record<string, number>> = { boxpick: 100, silhouettematch: 50, cadmatch: 50 }

export const templates = {
  listTemplates: (device, { node }) => of(device, node).files.list(),
  getTemplate: (device, { node, id, format }) => {
    const { files } = of(device, node)
    return format === 'file' ? files.content(id) : files.get(id)
  },
  putTemplate: async (device, { node, id, file: { name, bytes }, object_height, units }) => {
    const { module, files } = of(device, node)
    assertLicensed(module.license, device.scenario)
    if (/\.dxf$/i.test(name) && module.name === 'silhouettematch') {
      if (object_height === undefined)
        throw new Refusal(400, 'object_height: missing; a DXF file does not contain it')
      if (units === undefined) throw new Refusal(400, 'units: missing; a DXF file does not contain them')
    }
    return files.put(id, bytes)
  },
  deleteTemplate: async (device, { node, id }) => {
    const { module, files } = of(device, node)
    assertLicensed(module.license, device.scenario)
    files.get(id)
    // What is stored with it is deleted first, so that a state without the template is also without that.
    module.templateDeleted?.(id)
    return files.delete(id)
  },
} satisfies Partial<Handlers>

/** @throws Refusal 404 for a node that this device does not have, or that has no templates */
function of(device: Device, node: string) {
  const module = [...device.pipelines.values()].map(({ nodes }) => nodes.get(node)?.module).find(Boolean)
  const most = module && capacities[module.name]
  if (!module || most === undefined)
    throw new Refusal(404, `there is no node ${cut(node, 60)} with templates`)
  return { module, files: new StoredFiles(device, templatesOf(module.name), `template of ${node}`, most) }
}
