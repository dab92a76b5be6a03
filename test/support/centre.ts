import { fleetFlow } from '../../bench/support/fleet-flow'
import { startNodeRed, type NodeRed, type NodeRedOptions } from './node-red'

const place = { z: 'tab', x: 100, y: 100 }
const set = (p: string, to: string, tot = 'msg') => ({ t: 'set', p, pt: 'msg', to, tot })

/** Takes orders over HTTP. */
export interface CentreNodeRed {
  red: NodeRed
  /** @returns the payload of the answer @throws Error with code and message from Catch */
  order: (action: string, payload?: unknown, more?: object) => Promise<unknown>
  /** Last state of the fleet. */
  summary: () => Promise<unknown>
  /** Last event. */
  event: () => Promise<unknown>
}

/** Orders over HTTP; `msg.req` is removed because only the test sends. */
const centreFlow = (port: number, centre: string, fields: object) => [
  ...fleetFlow(port, { centre, ...fields, wires: [['out'], ['reply'], ['summary-kept'], ['event-kept']] })
    .map((node) => node as { id: string; type: string; topic?: string })
    .filter(({ type }) => type !== 'bench-sink')
    .map((node) =>
      node.topic?.startsWith('vision/centre/') ? { ...node, topic: `vision/centre/${centre}/answer` } : node,
    ),
  { ...place, id: 'http', type: 'http in', url: '/order', method: 'post', wires: [['request']] },
  {
    ...{ ...place, id: 'request', type: 'change', wires: [['fleet']] },
    rules: [
      set('body', 'payload'),
      set('action', 'body.action'),
      set('payload', 'body.payload'),
      set('rollout', 'body.rollout'),
      set('limit', 'body.limit'),
      { t: 'delete', p: 'req', pt: 'msg' },
    ],
  },
  { ...place, id: 'reply', type: 'http response', statusCode: '200', headers: {} },
  { ...place, id: 'catch', type: 'catch', scope: null, uncaught: false, wires: [['failure']] },
  {
    ...{ ...place, id: 'failure', type: 'change', wires: [['refused']] },
    rules: [set('payload', '{ "code": error.code, "message": error.message }', 'jsonata')],
  },
  { ...place, id: 'refused', type: 'http response', statusCode: '409', headers: {} },
  ...['summary', 'event'].flatMap((what) => [
    {
      ...{ ...place, id: `${what}-kept`, type: 'change', wires: [[]] },
      rules: [{ t: 'set', p: what, pt: 'flow', to: 'payload', tot: 'msg' }],
    },
    {
      ...place,
      id: `${what}-http`,
      type: 'http in',
      url: `/${what}`,
      method: 'get',
      wires: [[`${what}-get`]],
    },
    {
      ...{ ...place, id: `${what}-get`, type: 'change', wires: [['reply']] },
      rules: [{ t: 'set', p: 'payload', pt: 'msg', to: what, tot: 'flow' }],
    },
  ]),
]

/** @param port of the broker */
export async function startCentreNodeRed(
  port: number,
  {
    centre = 'centre-1',
    fields = {},
    ...options
  }: NodeRedOptions & { centre?: string; fields?: object } = {},
): Promise<CentreNodeRed> {
  const red = await startNodeRed({ flows: centreFlow(port, centre, fields), ...options })
  const last = async (what: string) => {
    const text = await (await fetch(`${red.url}/${what}`)).text()
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }
  return {
    red,
    order: async (action, payload, more = {}) => {
      const answer = await fetch(`${red.url}/order`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ action, payload, ...more }),
      })
      const problem = JSON.parse((await answer.text()) || 'null') as { code: string; message: string }
      if (answer.ok) return problem
      throw Object.assign(new Error(problem.message), { code: problem.code })
    },
    summary: () => last('summary'),
    event: () => last('event'),
  }
}
