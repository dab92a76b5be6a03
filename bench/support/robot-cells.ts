/** The flow calls the device, or answers at once. */
export interface RobotCell<Dialect extends string = string> {
  dialect: Dialect
  port: number
  isCalling: boolean
}

const pose = { position: { x: 0.4, y: 0, z: 0.3 }, orientation: { x: 1, y: 0, z: 0, w: 0 } }
const onTab = { z: 'tab' }

/** In one flow, with Node-RED's own TCP nodes as echo. */
export const robotCells = (cells: readonly RobotCell[], echoPort: number, address: string): object[] => [
  { id: 'tab', type: 'tab', label: 'bench' },
  { id: 'device', type: 'vision-device-config', name: '', address, concurrency: 8 },
  {
    ...{ ...onTab, id: 'echo', type: 'tcp in', server: 'server', host: '', port: String(echoPort) },
    ...{ datamode: 'stream', datatype: 'buffer', newline: '', wires: [['back']] },
  },
  { ...onTab, id: 'back', type: 'tcp out', beserver: 'reply', wires: [] },
  ...cells.flatMap(cell),
]

function cell({ dialect, port, isCalling }: RobotCell): object[] {
  const [robots, request, call, answer] = ['robots', 'request', 'call', 'answer'].map(
    (part) => `${part} ${String(port)}`,
  )
  return [
    { id: robots, type: 'vision-robot-connection', name: '', way: dialect, port },
    {
      ...{ ...onTab, id: request, type: 'vision-robot-request', robots },
      wires: [[isCalling ? call : answer], []],
    },
    ...(isCalling
      ? [
          {
            ...{ ...onTab, id: call, type: 'vision-call-service', device: 'device' },
            ...{ node: 'dev_stereomatching', service: 'acquisition_trigger', onRefusal: 'output' },
            ...{ outputs: 2, wires: [[answer], [answer]] },
          },
        ]
      : []),
    {
      ...{ ...onTab, id: answer, type: 'vision-robot-answer', wires: [[], []] },
      // A pose in any case.
      ...{ poses: JSON.stringify([{ pose }]), posesType: 'json', code: '0', codeType: 'json' },
    },
  ]
}
