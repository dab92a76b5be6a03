import { join } from 'node:path'

const aboveClient = ['contract', 'codec', 'files', 'client'].map((layer) => `lib/${layer}`)

/** Imports besides the layer itself. `test` and `bench` may import everything; nothing imports them. */
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
  'lib/discovery': ['lib/codec'],
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
  // Only types, and code of lib/contract/reading, by the lint configuration.
  editor: ['lib', 'nodes'],
  // Browser code beside its node.
  'nodes/*/dialog.ts': ['lib', 'nodes', 'editor'],
}

/** Folders that may import more than their layer. */
const wider = { nodes: ['virtual-device'] }

/** Shared by all layers above. */
const mechanisms = ['lib/kernel', 'lib/typebox']
const belowMechanisms = ['kernel', 'files', 'typebox', 'contract'].map((layer) => `lib/${layer}`)

export const allowedIn = (layer) =>
  belowMechanisms.includes(layer) ? layers[layer] : [...new Set([...layers[layer], ...mechanisms])]

/** Lint zones. */
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

/** Without the browser code of dialogs. */
function targetOf(root, layer) {
  const folder = join(root, layer)
  if (wider[layer]) return [`${folder}/*.ts`, `${folder}/!(${wider[layer].join('|')})/**/!(dialog).*`]
  return layer.startsWith('nodes/') && !layer.includes('*') ? `${folder}/**/!(dialog).*` : folder
}
