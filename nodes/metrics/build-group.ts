import { createRequire } from 'node:module'
import type { NodeAPI } from 'node-red'
import { SeriesGroup } from '../../lib/metrics'
import { families, type MetricName } from './families'
import type { Group } from './registry'

/** What does not belong to a device: versions. */
export function buildGroup(RED: Pick<NodeAPI, 'settings'>): Group {
  const group: Group = new SeriesGroup<MetricName>(families, {})
  const { version } = createRequire(__filename)('../../../package.json') as { version: string }
  group.gauge('vision_build_info', '', 1, () => {
    const { version: nodeRed = '' } = RED.settings as { version?: string }
    return [{ labels: { version, node_red: nodeRed, node_js: process.versions.node }, value: 1 }]
  })
  return group
}
