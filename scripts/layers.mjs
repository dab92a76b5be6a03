import { join } from 'node:path'

/** What the procedures above the client may import. */
const aboveClient = ['contract', 'codec', 'files', 'client'].map((layer) => `lib/${layer}`)

/** What each layer may import besides itself. `test` and `bench` may import everything; nobody imports them. */
export const layers = {
  lib: [],
  'lib/typebox': [],
  'lib/contract': ['lib/typebox'],
  'lib/codec': ['lib/contract'],
  'lib/robotics': [],
  'lib/overlay': ['lib/robotics'],
  'lib/plots': ['lib/robotics', 'lib/overlay'],
  'lib/robot-interface': ['lib/robotics'],
  'lib/kernel': ['lib/typebox', 'lib/files'],
  'lib/metrics': [],
  'lib/otlp': [],
  'lib/hosts': [],
  'lib/alarms': ['lib/typebox'],
  'lib/recipes': [],
  'lib/robots': ['lib/hosts', 'lib/robotics', 'lib/robot-interface'],
  'lib/files': [],
  'lib/client': ['lib/typebox', 'lib/contract', 'lib/codec'],
  'lib/streams': aboveClient,
  'lib/logs': aboveClient,
  'lib/system': aboveClient,
  'lib/images': [...aboveClient, 'lib/robotics'],
  'lib/firmware': [...aboveClient, 'lib/system'],
  'lib/fleet': ['lib/typebox', 'lib/codec', 'lib/files'],
  'lib/calibration': ['lib/typebox', 'lib/robotics', 'lib/images'],
  'lib/robot-motion': ['lib/robotics', 'lib/calibration'],
  'lib/universal-robots': ['lib/robot-motion', 'lib/robotics'],
  'lib/plc': ['lib/files', 'lib/hosts', 'lib/robotics'],
  'virtual-device': [
    ...['lib/contract', 'lib/codec', 'lib/files', 'lib/robotics'],
    ...['lib/robot-interface', 'lib/typebox'],
  ],
  nodes: ['lib'],
  'nodes/virtual-device': ['lib', 'nodes/shared', 'nodes/sentences.ts', 'virtual-device'],
  // Only types, and code of lib/contract/reading: the lint configuration forbids the editor every other import from
  // outside.
  editor: ['lib', 'nodes'],
  // Browser code beside its node.
  'nodes/*/dialog.ts': ['lib', 'nodes', 'editor'],
}

/** Folders inside a layer that may import more than the layer. */
const wider = { nodes: ['virtual-device'] }

/** The mechanisms that every layer above them shares; values to be stored are described with schemas. */
const mechanisms = ['lib/kernel', 'lib/typebox']
const belowMechanisms = ['kernel', 'files', 'typebox', 'contract'].map((layer) => `lib/${layer}`)

/** What a layer may import besides itself. */
export const allowedIn = (layer) =>
  belowMechanisms.includes(layer) ? layers[layer] : [...new Set([...layers[layer], ...mechanisms])]

/** The layers as zones of the lint rule: each layer may import only what is listed, and the shared mechanisms. */
export const layerZones = (root) =>
  Object.entries(layers).map(([layer, listed]) => {
    const allowed = [...belowMechanisms, 'editor'].includes(layer)
      ? listed
      : [...new Set([...listed, ...mechanisms])]
    return {
      target: targetOf(root, layer),
      from: root,
      except: ['node_modules', layer, ...allowed].map((place) => `./${place}`),
      message: `${layer} may import ${['itself', ...allowed].join(', ')}.`,
    }
  })

/** The browser code of a dialog is among the code of the nodes. */
function targetOf(root, layer) {
  const folder = join(root, layer)
  if (wider[layer]) return [`${folder}/*.ts`, `${folder}/!(${wider[layer].join('|')})/**/!(dialog).*`]
  return layer.startsWith('nodes/') && !layer.includes('*') ? `${folder}/**/!(dialog).*` : folder
}
