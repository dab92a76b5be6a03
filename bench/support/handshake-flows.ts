const tab = { id: 'tab', type: 'tab', label: 'bench' }

/** The device executes one at a time. */
const acquisition = (id: string, result: string) => ({
  id,
  z: 'tab',
  type: 'vision-call-service',
  device: 'device',
  node: 'dev_stereomatching',
  service: 'acquisition_trigger',
  onRefusal: 'output',
  outputs: 2,
  wires: [[result], [result]],
})

/** The device answers many in parallel, with three pictures a second. */
const reading = (id: string, result: string) => ({
  id,
  z: 'tab',
  type: 'vision-get-parameter',
  device: 'device',
  node: 'dev_camera',
  parameter: 'fps',
  wires: [[result]],
})

const device = (address: string) => ({
  id: 'device',
  type: 'vision-device-config',
  name: '',
  address,
  concurrency: 8,
})

/** Calls the device on each trigger. */
export const oneHandshake = (handshake: object, address: string): object[] => [
  tab,
  device(address),
  ...cell('', handshake, acquisition),
]

/** Each a Modbus server; empty flows without an address. */
export const manyHandshakes = (ports: readonly number[], address?: string): object[] => [
  tab,
  ...(address === undefined ? [] : [device(address)]),
  ...ports.flatMap((port) =>
    cell(String(port), { connection: 'server', port }, address === undefined ? undefined : reading),
  ),
]

function cell(
  name: string,
  handshake: object,
  calling: typeof acquisition | typeof reading | undefined,
): object[] {
  const [plc, trigger, call, result] = ['plc', 'trigger', 'call', 'result'].map((part) => `${part}${name}`)
  return [
    { id: plc, type: 'vision-plc-handshake', name: '', family: 'sequence', ...handshake },
    {
      id: trigger,
      z: 'tab',
      type: 'vision-plc-trigger',
      handshake: plc,
      wires: [[calling ? call : result], []],
    },
    ...(calling ? [calling(call ?? '', result ?? '')] : []),
    { id: result, z: 'tab', type: 'vision-plc-result', wires: [[], []] },
  ]
}
