import type { FirmwareInfo, NetworkInfo, SysInfo } from '../../lib/contract'
import type { Device } from '../device'
import { assertNoGenicamClient } from '../permissions'
import { Refusal } from '../refusal'
import type { Handlers } from './handler'
import { pipelineConfiguration } from './pipelines'

export const system = {
  getSystem: (device): SysInfo => ({
    dns: dns(device),
    firmware: firmware(device),
    hostname: device.identity.hostname,
    link_speed: 1000,
    mac: device.identity.mac,
    network: network(device),
    ntp: ntp(device),
    ptp_status: ptp(device),
    ready: device.phase === 'ready',
    serial: device.identity.serial,
    time: device.now(),
    ui_lock: { enabled: device.system.uiLock !== null },
    uptime: device.clock.now() - device.bootedAt,
    ...(device.variant === 'multi' && multiOnly(device)),
  }),
  getDns: (device) => ({ dns: dns(device) }),
  setDns: (device, { manual_dns_servers }) => {
    device.system.dns.manual = [...manual_dns_servers]
    device.changed()
    return { dns: dns(device) }
  },
  getLicense: ({ scenario }) => ({ valid: true, components: { ...scenario.license } }),
  getNetwork: network,
  getNetworkSettings: ({ system: { network: settings } }) => settings,
  setNetworkSettings: (device, settings) => {
    assertNoGenicamClient('network settings', device.scenario)
    device.system.network = settings
    device.changed()
    return settings
  },
  getNtp: (device) => ({ ntp: ntp(device) }),
  setNtp: (device, { manual_ntp_servers }) => {
    device.system.ntp.manual = [...manual_ntp_servers]
    device.changed()
    return { ntp: ntp(device) }
  },
  getRollback: firmware,
  getFirmware: firmware,
  getTime: (device) => ({ utc: utc(device.now()) }),
  setTime: (device, input) => {
    const { ntp_synchronized, ptp_synchronized } = device.scenario
    if (ntp_synchronized || ptp_synchronized)
      throw new Refusal(403, `the time is synchronized by ${ntp_synchronized ? 'NTP' : 'PTP'}`)
    const time = Date.parse(`${input.utc.replace(' ', 'T')}Z`) / 1000
    // Dates such as February 30 are taken for one in March.
    if (Number.isNaN(time) || utc(time) !== input.utc)
      throw new Refusal(400, `utc: ${input.utc} is no date and time`)
    device.system.clockOffset = time - device.clock.now()
    device.changed()
    return { utc: utc(device.now()) }
  },
  getUiLock: (device) => ({ enabled: device.system.uiLock !== null }),
  removeUiLock: (device) => {
    device.system.uiLock = null
    device.changed()
    return { enabled: false, valid: false }
  },
  setUiLock: (device, { hash, set = false }) => {
    if (set) {
      device.system.uiLock = hash
      device.changed()
    }
    const { uiLock } = device.system
    return { enabled: uiLock !== null, valid: uiLock === hash }
  },
} satisfies Partial<Handlers>

const dns = ({
  system: {
    dns: { manual },
    network: { dhcp_enabled },
  },
}: Device) => ({
  dns_servers: [...manual, ...(dhcp_enabled ? ['192.168.0.1'] : [])],
  manual_dns_servers: manual,
})

const ntp = ({
  scenario,
  system: {
    ntp: { manual },
  },
}: Device) => ({
  enabled: true,
  manual_ntp_servers: manual,
  offset: scenario.ntp_synchronized ? -3.2666e-5 : 0,
  selected_ntp_servers: scenario.ntp_synchronized ? [manual[0] ?? '192.168.0.1'] : [],
  synchronized: scenario.ntp_synchronized,
})

const ptp = ({ scenario: { ptp_synchronized: synchronized } }: Device) => ({
  master_ip: synchronized ? '192.168.0.2' : '',
  offset: synchronized ? 1.2e-6 : 0,
  offset_dev: synchronized ? 8e-7 : 0,
  offset_mean: synchronized ? 4e-7 : 0,
  state: synchronized ? 'SLAVE' : 'off',
})

function network({ system: { network: settings } }: Device): NetworkInfo {
  const fixed = settings.persistent_ip_enabled
  const dhcp = settings.dhcp_enabled
  return {
    current_method: fixed ? 'PersistentIP' : dhcp ? 'DHCP' : 'LinkLocal',
    default_gateway: fixed ? settings.persistent_default_gateway : dhcp ? '192.168.0.1' : '',
    ip_address: fixed ? settings.persistent_ip_address : dhcp ? '192.168.0.11' : '169.254.1.11',
    subnet_mask: fixed ? settings.persistent_subnet_mask : dhcp ? '255.255.255.0' : '255.255.0.0',
    settings,
  }
}

function firmware({ system: { firmware: images } }: Device): FirmwareInfo {
  return {
    active_image: { image_version: images.active },
    inactive_image: { image_version: images.inactive },
    fallback_booted: images.fallbackBooted,
    next_boot_image: images.bootsInactive ? 'inactive_image' : 'active_image',
  }
}

const multiOnly = (device: Device) => {
  const pipelines = pipelineConfiguration(device)
  return {
    dongle_id: device.identity.dongle,
    model_name: device.identity.model,
    pipelines,
    reboot_required: pipelines.pending_changes || device.system.firmware.bootsInactive,
    sensor_interfaces: Object.fromEntries(
      [...device.pipelines.keys()].map((name) => [`sensor${name}`, { link_speed: 1000 }]),
    ),
    userspace: { available: true, enabled: false },
  }
}

const utc = (time: number) => new Date(time * 1000).toISOString().slice(0, 19).replace('T', ' ')
