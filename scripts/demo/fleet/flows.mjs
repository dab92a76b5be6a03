import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const place = { z: 'cell', x: 100, y: 100 }

/** As stored by the dialog. */
const broker = (port, more = {}) => ({
  ...{ id: 'meeting', type: 'mqtt-broker', name: 'meeting point', broker: '127.0.0.1', port: String(port) },
  ...{ clientid: '', autoConnect: true, usetls: false, protocolVersion: '5', keepalive: '60' },
  ...{ cleansession: true, autoUnsubscribe: true },
  ...more,
})

/** Birth, close and will messages. */
const own = (what, topic, payload) => ({
  ...{
    [`${what}Topic`]: topic,
    [`${what}Payload`]: payload,
    [`${what}Qos`]: '1',
    [`${what}Retain`]: 'false',
  },
  [`${what}Msg`]: {},
})

/** Devices, agent, and `mqtt` nodes. @param devices addresses by name */
export function cellFlow({ plant, cell, devices, brokerPort, source }) {
  const topic = (last) => `vision/${plant}/${cell}/${last}`
  return [
    { id: 'cell', type: 'tab', label: `${plant}/${cell}` },
    ...Object.entries(devices).map(([name, address]) => ({
      ...{ id: `device-${name}`, type: 'vision-device-config', name, address, healthInterval: 1 },
    })),
    ...['command', 'ack', 'here'].map((last, index) => ({
      ...{ ...place, id: `in-${last}`, type: 'mqtt in', name: last, topic: topic(last), qos: '1' },
      ...{ datatype: 'buffer', broker: 'meeting', nl: false, rap: true, rh: 0, inputs: 0 },
      ...{ y: 100 + 60 * index, wires: [['agent']] },
    })),
    {
      ...{ ...place, id: 'agent', type: 'vision-cell-agent', x: 340, y: 160, plant, cell, root: 'vision' },
      ...{ maySet: true, mayBackup: true, mayUpdate: true, sources: source, every: 5, fingerprint: 1 },
      // A killed cell's device may still be writing: nothing is sent again for this long.
      patience: 30,
      wires: [['out'], []],
    },
    {
      ...{ ...place, id: 'out', type: 'mqtt out', name: 'to the centre', x: 580, y: 160 },
      ...{ topic: '', qos: '1', retain: '', broker: 'meeting', wires: [] },
    },
    broker(brokerPort, { ...own('will', topic('gone'), 'gone'), ...own('birth', topic('here'), 'here') }),
  ]
}

/** The example with orders over HTTP, for this machine only. */
export function centreFlow({ root, brokerPort }) {
  const example = JSON.parse(readFileSync(join(root, 'examples', 'fleet-centre.json'), 'utf8'))
  const tab = { z: 'orders', x: 140, y: 100 }
  const rule = (p, to) => ({ t: 'set', p, pt: 'msg', to, tot: 'msg' })
  const nodes = example.map((node) => {
    if (node.type === 'mqtt-broker') return { ...node, port: String(brokerPort) }
    if (node.type !== 'vision-fleet') return node
    const [out, answers, state, events] = node.wires
    return { ...node, updateEvery: 1, wires: [out, [...answers, 'reply'], state, events] }
  })
  return [
    ...nodes,
    { id: 'orders', type: 'tab', label: 'Orders of the demo' },
    { ...tab, id: 'http', type: 'http in', url: '/order', method: 'post', wires: [['order']] },
    {
      ...{ ...tab, id: 'order', type: 'change', name: 'order', x: 320, wires: [['centre-fleet']] },
      rules: [
        rule('body', 'payload'),
        ...['action', 'rollout', 'payload'].map((name) => rule(name, `body.${name}`)),
        // Elsewhere, let Node-RED require a login.
        { t: 'delete', p: 'req', pt: 'msg' },
      ],
    },
    { ...tab, id: 'reply', type: 'http response', x: 500, statusCode: '200', headers: {} },
    {
      // Catch works within a tab only.
      ...{ ...tab, z: 'fleet-centre', id: 'catch', type: 'catch', x: 510, y: 500 },
      scope: ['centre-fleet'],
      uncaught: false,
      wires: [['why']],
    },
    {
      ...{ ...tab, id: 'why', type: 'change', name: 'why', x: 320, y: 180, wires: [['refused']] },
      rules: [rule('payload', 'error.message')],
    },
    { ...tab, id: 'refused', type: 'http response', x: 500, y: 180, statusCode: '409', headers: {} },
  ]
}
