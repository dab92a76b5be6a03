import { Type, type Static } from '../../typebox'

export const NodeName = Type.String({
  minLength: 1,
  description: 'name of a node, with the prefix of the device',
})

/** Known values: `running`, `idle`, `stale`, `down`, `unknown`. Others are possible. */
const NodeStatusWord = Type.String({ description: 'running, idle, stale, down or unknown' })

export const NodeInfo = Type.Object({
  name: Type.String(),
  parameters: Type.Array(Type.String()),
  services: Type.Array(Type.String()),
  status: NodeStatusWord,
})
export type NodeInfo = Static<typeof NodeInfo>

export const NodeStatus = Type.Object({
  status: NodeStatusWord,
  timestamp: Type.Number({ description: 'last update of the values, seconds since 1970' }),
  values: Type.Union([Type.Record(Type.String(), Type.String()), Type.Array(Type.Never(), { maxItems: 0 })], {
    description: 'run-time values as strings; an empty array for nodes without values',
  }),
})
export type NodeStatus = Static<typeof NodeStatus>
