import type { Client } from '../client/create-client'
import type { CallOptions } from '../client/options'
import { markedState, type UptimeMark } from '../system/reboot'

/** A device at one moment. */
export interface DeviceLook {
  serial: string
  ready: boolean
  mark: UptimeMark
  active: string
  inactive: string
  fallback: boolean
  /** Whether the next start boots the inactive image. */
  pending: boolean
}

export async function lookAt(client: Client, options?: CallOptions): Promise<DeviceLook> {
  const { system, mark } = await markedState(() => client.getSystem({ ...options, waitForDevice: false }))
  const { serial, ready, firmware } = system
  return {
    serial,
    ready,
    mark,
    active: firmware.active_image.image_version,
    inactive: firmware.inactive_image.image_version,
    fallback: firmware.fallback_booted,
    pending: firmware.next_boot_image === 'inactive_image',
  }
}
