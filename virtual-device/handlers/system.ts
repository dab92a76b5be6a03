import type { Device } from '../device/device'
import { firmwareInfo } from './firmware'
import type { Handlers } from './handler'
import { dns, networkInfo } from './network'
import { ntp } from './time'
import { pipelineConfiguration } from './pipelines'
import { userSpaceState } from './user-space'

export const system = {
  getSystem: (device) => ({
    dns: dns(device),
    firmware: firmwareInfo(device),
    hostname: device.identity.hostname,
    link_speed: 1000,
    mac: device.identity.mac,
    network: networkInfo(device),
    ntp: ntp(device),
    ptp_status: ptp(device),
    ready: device.phase === 'ready',
    serial: device.identity.serial,
    time: device.now(),
    ui_lock: { enabled: device.system.uiLock !== null },
    uptime: device.uptime,
    ...(device.variant === 'multi' && multiOnly(device)),
  }),
} satisfies Partial<Handlers>

const ptp = ({ scenario: { ptp_synchronized: synchronized } }: Device) => ({
  master_ip: synchronized ? '192.168.0.2' : '',
  offset: synchronized ? 1.2e-6 : 0,
  offset_dev: synchronized ? 8e-7 : 0,
  offset_mean: synchronized ? 4e-7 : 0,
  state: synchronized ? 'SLAVE' : 'off',
})

function multiOnly(device: Device) {
  const pipelines = pipelineConfiguration(device)
  const sensors = [...device.pipelines.keys()].map((name) => [`sensor${name}`, { link_speed: 1000 }] as const)
  return {
    dongle_id: device.identity.dongle,
    model_name: device.identity.model,
    pipelines,
    reboot_required: pipelines.pending_changes || device.system.firmware.bootsInactive,
    sensor_interfaces: Object.fromEntries(sensors),
    userspace: userSpaceState(device),
  }
}
