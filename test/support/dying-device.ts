import { startVirtualDevice } from '../../virtual-device'

/** A program: a virtual device that kills itself 30 ms after it has accepted its first trigger. Depth takes a second. */
async function run() {
  const device = await startVirtualDevice({ port: 0, imagePort: 0 })
  const url = `${device.url}/api/v2/pipelines/0/nodes/dev_stereomatching/parameters/quality`
  const headers = { 'content-type': 'application/json' }
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ value: 'Full' }) })
  const accepted = () => device.calls().some(({ operation }) => operation === 'callService')
  const timer = setInterval(() => {
    if (!accepted()) return
    clearInterval(timer)
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), 30)
  }, 2)
  process.send?.({ address: device.url, imagePort: device.ports.images?.port } satisfies DyingDevice)
}

export interface DyingDevice {
  address: string
  imagePort: number | undefined
}

void run()
