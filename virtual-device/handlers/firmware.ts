import type { FirmwareInfo } from '../../lib/contract'
import type { Device } from '../device/device'
import { ArtifactCheck, BadArtifact } from '../firmware/artifact'
import { imageVersion } from '../firmware/image-version'
import { receive } from '../requests/receive'
import { Refusal } from '../refusal'
import type { Handlers } from './handler'
import { sleep } from '../../lib/timers/timers'

export const firmware = {
  getFirmware: firmwareInfo,
  getRollback: firmwareInfo,
  rollback: (device) => {
    const { firmware: images } = device.system
    if (images.bootsInactive) throw new Refusal(400, 'the inactive image is already set for the next boot')
    if (device.scenario.rollback_fails) throw new Refusal(500, 'the boot configuration cannot be written')
    device.change({ firmware: { ...images, bootsInactive: true } })
    device.note('INFO', 'rollback: the next boot uses the inactive image')
    return firmwareInfo(device)
  },
  reboot: (device) => {
    device.reboot()
    return { message: 'rebooting' }
  },
  uploadFirmware: async (device, { file }) => {
    const done = device.updates.take()
    try {
      const check = new ArtifactCheck()
      await receive(file, (chunk) => {
        check.add(chunk)
        const { upload_rate } = device.scenario
        return upload_rate > 0 ? sleep((1000 * chunk.length) / upload_rate, done.stopped) : undefined
      })
      const { version } = check.finish()
      const { next_update, update_seconds } = device.scenario
      if (next_update === 'corrupt') throw new BadArtifact('The artifact is damaged.')
      await sleep(update_seconds * 1000, done.stopped)
      if (done.rebooted()) throw new Refusal(400, 'the device was rebooted before the image was written')
      const inactiveStarts = next_update !== 'boot_fails'
      const images = { ...device.system.firmware, inactive: version, bootsInactive: true, inactiveStarts }
      device.change({ firmware: images })
      device.note('INFO', `update: ${version} written; a reboot activates it`)
      return firmwareInfo(device)
    } catch (error) {
      throw error instanceof BadArtifact ? new Refusal(400, error.message) : error
    } finally {
      done.end()
    }
  },
} satisfies Partial<Handlers>

export function firmwareInfo({ system: { firmware: images }, options }: Device): FirmwareInfo {
  const named = (version: string) => ({ image_version: imageVersion(version, options.imageVersion) })
  return {
    active_image: named(images.active),
    inactive_image: named(images.inactive),
    fallback_booted: images.fallbackBooted,
    next_boot_image: images.bootsInactive ? 'inactive_image' : 'active_image',
  }
}
