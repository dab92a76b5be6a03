import { isIP, isIPv4 } from 'node:net'
import type { FirmwareInfo, NetworkInfo, NetworkSettings } from '../../lib/contract'
import { sleep } from '../../lib/kernel/timers'
import { Type, Value } from '../../lib/typebox'
import { backup as saved, restore } from '../device/backup'
import type { Device } from '../device/device'
import { assertNoGenicamClient } from '../device/running-module'
import { ArtifactCheck, BadArtifact, imageVersion } from '../firmware/artifact'
import { Refusal, shown } from '../values'
import { receive } from './read-input'
import type { Handlers } from './handler'
import { pipelineConfiguration } from './pipeline-nodes'

const noProxy = { http_proxy: '', https_proxy: '' }

const userSpaceState = ({ system }: Device) => ({
  available: true,
  enabled: system.userSpace?.enabled ?? false,
})

export const userSpace = {
  getUserSpace: all,
  configureUserSpace: (device, { action }) => {
    const reset = action === 'reset'
    const { proxy = noProxy } = device.system.userSpace ?? {}
    device.change({ userSpace: { enabled: action === 'enable', proxy: reset ? noProxy : proxy } })
    device.note('INFO', `user space: ${action}`)
    return all(device)
  },
  getUserSpaceProxy: proxyOf,
  setUserSpaceProxy: (device, changes) => {
    for (const [name, address] of Object.entries(changes))
      if (address !== '' && !/^https?:\/\/[^\s/]+\/?$/.test(address))
        // The value is not shown, because it may contain a password.
        throw new Refusal(400, `${name}: expected the address of a proxy, http://host:port, or an empty text`)
    const { enabled } = userSpaceState(device)
    device.change({ userSpace: { enabled, proxy: { ...proxyOf(device), ...changes } } })
    return proxyOf(device)
  },
} satisfies Partial<Handlers>

/** No applications run on a virtual device. */
function all(device: Device) {
  return { apps: [], ...userSpaceState(device), proxy: proxyOf(device) }
}

function proxyOf({ system }: Device) {
  return system.userSpace?.proxy ?? noProxy
}

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

function firmwareInfo({ system: { firmware: images }, options }: Device): FirmwareInfo {
  const named = (version: string) => ({ image_version: imageVersion(version, options.imageVersion) })
  return {
    active_image: named(images.active),
    inactive_image: named(images.inactive),
    fallback_booted: images.fallbackBooted,
    next_boot_image: images.bootsInactive ? 'inactive_image' : 'active_image',
  }
}

export const time = {
  getNtp: (device) => ({ ntp: ntp(device) }),
  setNtp: (device, { manual_ntp_servers }) => {
    for (const server of manual_ntp_servers)
      if (!/^[\w.:-]{1,253}$/.test(server))
        throw new Refusal(400, `manual_ntp_servers: ${shown(server)} is not a host name or address`)
    device.change({ ntp: { manual: manual_ntp_servers } })
    return { ntp: ntp(device) }
  },
  getTime: (device) => ({ utc: utc(device.now()) }),
  setTime: (device, input) => {
    const { ntp_synchronized, ptp_synchronized } = device.scenario
    if (ntp_synchronized || ptp_synchronized)
      throw new Refusal(403, `the time is synchronized by ${ntp_synchronized ? 'NTP' : 'PTP'}`)
    const seconds = Date.parse(`${input.utc.replace(' ', 'T')}Z`) / 1000
    // February 30 would be parsed as a day in March.
    if (Number.isNaN(seconds) || utc(seconds) !== input.utc)
      throw new Refusal(400, `utc: ${input.utc} is not a valid date and time`)
    device.change({ clockOffset: seconds - device.clock.now() })
    device.note('INFO', `time set to ${input.utc}`)
    return { utc: utc(device.now()) }
  },
} satisfies Partial<Handlers>

/** `YYYY-MM-DD hh:mm:ss` */
const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

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

export const network = {
  getDns: (device) => ({ dns: dns(device) }),
  setDns: (device, { manual_dns_servers }) => {
    for (const server of manual_dns_servers)
      if (!isIP(server)) throw new Refusal(400, `manual_dns_servers: ${shown(server)} is not an IP address`)
    device.change({ dns: { manual: manual_dns_servers } })
    return { dns: dns(device) }
  },
  getNetwork: networkInfo,
  getNetworkSettings: ({ system }) => system.network,
  setNetworkSettings: (device, settings) => {
    assertNoGenicamClient('network settings', device.scenario)
    assertAddresses(settings)
    device.change({ network: settings })
    return settings
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

/** As if every change had taken effect; a persistent address takes precedence over DHCP, and DHCP over link-local. */
function networkInfo({ system: { network: settings } }: Device): NetworkInfo {
  if (settings.persistent_ip_enabled)
    return {
      current_method: 'PersistentIP',
      default_gateway: settings.persistent_default_gateway,
      ip_address: settings.persistent_ip_address,
      subnet_mask: settings.persistent_subnet_mask,
      settings,
    }
  const [current_method, default_gateway, ip_address, subnet_mask] = settings.dhcp_enabled
    ? (['DHCP', '192.168.0.1', '192.168.0.11', '255.255.255.0'] as const)
    : (['LinkLocal', '', '169.254.1.11', '255.255.0.0'] as const)
  return { current_method, default_gateway, ip_address, subnet_mask, settings }
}

function assertAddresses(settings: NetworkSettings): void {
  const { persistent_ip_address, persistent_subnet_mask, persistent_default_gateway } = settings
  const wrong = (field: keyof NetworkSettings, what: string) =>
    new Refusal(400, `${field}: ${shown(settings[field])} is not ${what}`)
  if (!isIPv4(persistent_ip_address)) throw wrong('persistent_ip_address', 'an IPv4 address')
  if (!isMask(persistent_subnet_mask)) throw wrong('persistent_subnet_mask', 'a subnet mask')
  if (persistent_default_gateway !== '' && !isIPv4(persistent_default_gateway))
    throw wrong('persistent_default_gateway', 'an IPv4 address')
}

/** Ones followed by zeros, at least one of each. */
const isMask = (text: string) => {
  if (!isIPv4(text)) return false
  const bits = text.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
  return /^1+0+$/.test(bits.join(''))
}

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

/** Our own format. */
const LicenseFile = Type.Object({
  license: Type.Literal('virtual-vision-device'),
  components: Type.Record(Type.String({ maxLength: 60 }), Type.Boolean()),
})
const longest = 64 * 1024

export const license = {
  getLicense: ({ scenario }) => ({ valid: true, components: { ...scenario.license } }),
  uploadLicense: async (device, { file }) => {
    const chunks: Buffer[] = []
    let length = 0
    await receive(file, (chunk) => {
      length += chunk.length
      if (length > longest) throw new Refusal(413, `a license file has at most ${longest} bytes`)
      chunks.push(chunk)
    })
    device.change({
      license: { ...device.system.license, ...componentsIn(Buffer.concat(chunks).toString()) },
    })
    device.note('INFO', 'license uploaded; a reboot activates it')
    return { message: 'license stored, a reboot activates it' }
  },
} satisfies Partial<Handlers>

function componentsIn(text: string): Record<string, boolean> {
  try {
    return Value.Decode(LicenseFile, JSON.parse(text)).components
  } catch (error) {
    throw new Refusal(
      400,
      `not a valid license (${error instanceof SyntaxError ? 'not JSON' : 'not a license file'})`,
    )
  }
}

export const backup = {
  getBackup: saved,
  restoreBackup: (device, input) => {
    const result = restore(device, input.backup)
    device.note('INFO', `backup restored, ${result.warnings.length} warnings`)
    return result
  },
} satisfies Partial<Handlers>

/** The lock of the web pages; the API stays open. The web pages compute the hash, which is only compared here. */
export const uiLock = {
  getUiLock: ({ system }) => ({ enabled: system.uiLock !== null }),
  removeUiLock: (device) => {
    device.change({ uiLock: null })
    device.note('INFO', 'lock of the user interface removed')
    return { enabled: false, valid: false }
  },
  setUiLock: (device, { hash, set = false }) => {
    if (set) {
      device.change({ uiLock: hash })
      device.note('INFO', 'lock of the user interface set')
    }
    return { enabled: device.system.uiLock !== null, valid: device.system.uiLock === hash }
  },
} satisfies Partial<Handlers>
