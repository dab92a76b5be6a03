import { createClient, firmware, type Client } from '../../lib'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../virtual-device'
import { writeArtifact } from '../../virtual-device/firmware/artifact'
import { useFolder } from '../virtual-device/support/temporary-folder'

/** Short times: a virtual device boots in less than a second. */
export const quick: firmware.FirmwareOptions['timing'] = {
  patience: 10,
  stall: 5,
  write: 5,
  boot: 10,
  settle: 0.3,
  grace: 2,
  poll: 0.03,
}

export const quickBoot = { boot_seconds: 0.6, boot_502_seconds: 0.05, update_seconds: 0.05 }

/** Makes a device look as if it had been running for a while, like those that are usually updated. */
function clockOfLongRunning() {
  let ahead = 0
  return {
    now: () => Date.now() / 1000 + ahead,
    hurry: () => {
      ahead = 100
    },
  }
}

type Options = Partial<firmware.FirmwareOptions>

/** A virtual device, a client of it, folders and artifacts for each test. */
export function useFirmware(deviceOptions: VirtualDeviceOptions = {}) {
  const folder = useFolder()
  let device: VirtualDevice
  let client: Client
  beforeEach(async () => {
    const { scenario, ...options } = deviceOptions
    const clock = clockOfLongRunning()
    device = await startVirtualDevice({
      port: 0,
      clock,
      ...options,
      scenario: { ...quickBoot, ...scenario },
    })
    clock.hurry()
    client = createClient({ address: device.url, deadline: 2000, random: () => 0 })
  })
  afterEach(async () => {
    await client.close()
    await device.stop()
  })

  const start = (options: Options = {}) => {
    const progress: firmware.Progress[] = []
    const run = firmware.updateFirmware({
      client,
      journals: folder.path('journals'),
      backups: folder.path('backups'),
      ...options,
      timing: { ...quick, ...options.timing },
      onProgress: (step) => {
        progress.push(step)
        options.onProgress?.(step)
      },
    })
    return { ...run, progress }
  }

  return {
    path: folder.path,
    get device() {
      return device
    },
    get client() {
      return client
    },
    /** Path of an artifact of that version. */
    artifact: async (version = 'v2.0.0', size = 600_000) => {
      const file = folder.path(`${version}.artifact`)
      const header = await writeArtifact(file, { version, size })
      return { file, ...header }
    },
    start,
    run: (options?: Options) => start(options).done,
    /** The device's calls that change something, in order. */
    deeds: () =>
      device
        .calls()
        .map(({ operation }) => operation)
        .filter((id) => ['uploadFirmware', 'reboot', 'rollback'].includes(id)),
    images: async () => {
      const { active_image, inactive_image, ...rest } = await client.getFirmware()
      return { active: active_image.image_version, inactive: inactive_image.image_version, ...rest }
    },
    journal: () => new firmware.Journal(folder.path('journals')),
  }
}
