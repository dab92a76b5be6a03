import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { NodeInitializer } from 'node-red'
import { root } from './root'

const { 'node-red': listed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  'node-red': { nodes: Record<string, string> }
}
const load = createRequire(__filename)

/** As loaded by Node-RED. */
export const ourNodes: readonly NodeInitializer[] = Object.values(listed.nodes).map(
  (file) => (load(join(root, file)) as { default: NodeInitializer }).default,
)
