import { isIP, isIPv4 } from 'node:net'
import type { NetworkInfo, NetworkSettings } from '../../lib/contract'
import type { Device } from '../device/device'
import { assertNoGenicamClient } from '../device/permissions'
import { Refusal } from '../refusal'
import { shown } from '../shown'
import type { Handlers } from './handler'

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

export const dns = ({
  system: {
    dns: { manual },
    network: { dhcp_enabled },
  },
}: Device) => ({
  dns_servers: [...manual, ...(dhcp_enabled ? ['192.168.0.1'] : [])],
  manual_dns_servers: manual,
})

/** As if every change had taken effect; a persistent address takes precedence over DHCP, and DHCP over link-local. */
export function networkInfo({ system: { network: settings } }: Device): NetworkInfo {
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
