/** As in the example. */
export const fleetFlow = (port: number, fields: object = {}): object[] => [
  { id: 'tab', type: 'tab', label: 'fleet' },
  {
    ...{ id: 'broker', type: 'mqtt-broker', broker: '127.0.0.1', port: String(port), clientid: '' },
    ...{ autoConnect: true, usetls: false, protocolVersion: '5', keepalive: '60', cleansession: true },
    ...{ autoUnsubscribe: true },
  },
  ...[
    'vision/+/+/state',
    'vision/+/+/gone',
    'vision/+/+/answer',
    'vision/+/+/event',
    'vision/centre',
    answers,
  ].map((topic, index) => ({
    ...{ id: `in${index}`, type: 'mqtt in', z: 'tab', x: 100, y: 100, topic, qos: '1', datatype: 'buffer' },
    ...{ broker: 'broker', nl: false, rap: true, rh: 0, inputs: 0, wires: [['fleet']] },
  })),
  {
    ...{ id: 'fleet', type: 'vision-fleet', z: 'tab', x: 300, y: 100, root: 'vision', centre: 'centre-1' },
    ...{ mayOrder: true, wires: [['out'], ['answers'], ['shown'], []] },
    ...fields,
  },
  { id: 'out', type: 'mqtt out', z: 'tab', x: 500, y: 100, topic: '', qos: '1', broker: 'broker', wires: [] },
  { id: 'answers', type: 'bench-sink', z: 'tab', x: 500, y: 200, wires: [] },
  { id: 'shown', type: 'bench-sink', z: 'tab', x: 500, y: 300, wires: [] },
]

const answers = 'vision/centre/centre-1/answer'
