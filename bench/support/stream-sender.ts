// The device's streams without the device, in a thread or process of their own: STREAM=DESTINATION …
import { workerData } from 'node:worker_threads'
import { systemClock } from '../../virtual-device/clock'
import { streams } from '../../virtual-device/streams/streams'

const began = systemClock.now()
const device = streams({ clock: systemClock, navigation: () => ({ began, slam: false }) })
for (const wish of (workerData as string[] | null) ?? process.argv.slice(2)) {
  const [stream = '', destination = ''] = wish.split('=')
  device.add(stream, [destination])
}
device.start()
