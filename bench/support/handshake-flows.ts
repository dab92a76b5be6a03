const tab = { id: 'tab', type: 'tab', label: 'bench' }

/** What stands between trigger and result: a call of the device, or nothing. */
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

const device = (address: string) => ({
  id: 'device',
  type: 'vision-device-config',
  name: '',
  address,
  concurrency: 8,
})

/** A cell that calls the device for each trigger. */
export const oneHandshake = (handshake: object, address: string): object[] => [
  tab,
  device(address),
  ...cell('', handshake, true),
]

/** As many cells, each a Modbus server on its port; without an address, their flows are empty. */
export const manyHandshakes = (ports: readonly number[], address?: string): object[] => [
  tab,
  ...(address === undefined ? [] : [device(address)]),
  ...ports.flatMap((port) => cell(String(port), { connection: 'server', port }, address !== undefined)),
]

function cell(name: string, handshake: object, isCalling: boolean): object[] {
  const [plc, trigger, call, result] = ['plc', 'trigger', 'call', 'result'].map((part) => `${part}${name}`)
  return [
    { id: plc, type: 'vision-plc-handshake', name: '', family: 'sequence', ...handshake },
    {
      id: trigger,
      z: 'tab',
      type: 'vision-plc-trigger',
      handshake: plc,
      wires: [[isCalling ? call : result], []],
    },
    ...(isCalling ? [acquisition(call ?? '', result ?? '')] : []),
    { id: result, z: 'tab', type: 'vision-plc-result', wires: [[], []] },
  ]
}
