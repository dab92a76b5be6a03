// node many-devices.js COUNT: many virtual devices. Sends their addresses, and on request the number of requests; ends with its
// parent.
import { startVirtualDevice, type VirtualDevice } from '../../virtual-device'

const count = Number(process.argv[2])

async function main() {
  const devices: VirtualDevice[] = []
  for (let seed = 1; seed <= count; seed++) devices.push(await startVirtualDevice({ port: 0, seed }))
  process.on('message', () => process.send?.(devices.reduce((sum, device) => sum + device.calls().length, 0)))
  process.send?.(devices.map(({ url }) => url))
  process.on('disconnect', () => process.exit())
}
void main()
