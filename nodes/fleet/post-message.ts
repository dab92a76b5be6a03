import type { NodeMessage } from 'node-red'
import type { Post } from '../../lib/fleet/centre'

/** A message as `mqtt out` takes it. */
export const postMessage = ({
  topic,
  payload,
  retain,
  correlationData,
  ...properties
}: Post): NodeMessage & object => ({
  topic,
  payload: payload === '' ? '' : JSON.stringify(payload),
  ...{ qos: 1, retain, contentType: 'application/json' },
  ...(correlationData !== undefined && { correlationData: Buffer.from(correlationData) }),
  ...properties,
})
