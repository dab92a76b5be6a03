import type { Parameter } from '../../lib/contract'

/** Records as an object, which a flow reads as `msg.parameter.fps.max`. */
export const byName = <Shown>(records: readonly Parameter[], shown: (record: Parameter) => Shown) =>
  Object.fromEntries(records.map((record) => [record.name, shown(record)]))

export const itself = (record: Parameter) => record

/** The same for several nodes, `msg.parameter.dev_camera.fps.max`. */
export const byNode = <Shown>(
  nodes: readonly { node: string; records: readonly Parameter[] }[],
  shown: (record: Parameter) => Shown,
) => Object.fromEntries(nodes.map(({ node, records }) => [node, byName(records, shown)]))
