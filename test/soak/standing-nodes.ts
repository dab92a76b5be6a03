/** Nodes that work without input on a device with data streams. `sends`: they send their findings to the flow. */
export const standingNodes = (device: string) =>
  [
    { node: 'get-status', id: 'looks', sends: true, fields: { node: 'dev_camera', interval: 0.5 } },
    {
      node: 'get-status',
      id: 'looks-at-system',
      sends: true,
      fields: { what: 'system', interval: 1, when: 'change' },
    },
    { node: 'stream-receive', id: 'imu', sends: true, fields: { stream: 'imu', output: 'rate', rate: 20 } },
    {
      node: 'stream-receive',
      id: 'pose',
      sends: true,
      fields: { stream: 'pose', output: 'batch', seconds: 1 },
    },
    {
      node: 'stream-destination',
      id: 'kept',
      sends: false,
      fields: { stream: 'imu', action: 'keep', destination: '127.0.0.1:30011' },
    },
    { node: 'log-watch', id: 'logs', sends: true, fields: { start: 'now', shortest: 0.1 } },
  ].map(({ node, fields, ...own }) => ({
    z: 'tab',
    x: 0,
    y: 0,
    type: `vision-${node}`,
    device,
    wires: [['output'], ['output']],
    ...own,
    ...fields,
  }))
