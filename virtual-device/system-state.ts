import { Type, type Static } from '@sinclair/typebox'

const texts = Type.Array(Type.String())

/** What the system settings of a device are made of, and what a restart finds again. */
export const SystemState = Type.Object({
  dns: Type.Object({ manual: texts }),
  ntp: Type.Object({ manual: texts }),
  network: Type.Object({
    dhcp_enabled: Type.Boolean(),
    persistent_ip_enabled: Type.Boolean(),
    persistent_ip_address: Type.String(),
    persistent_subnet_mask: Type.String(),
    persistent_default_gateway: Type.String(),
  }),
  firmware: Type.Object({
    active: Type.String(),
    inactive: Type.String(),
    bootsInactive: Type.Boolean({ description: 'the inactive image is the next to boot' }),
    fallbackBooted: Type.Boolean(),
  }),
  /** Hash of the password of the user interface; null without a lock. */
  uiLock: Type.Union([Type.String(), Type.Null()]),
  /** Seconds that the device's time is ahead of its clock. */
  clockOffset: Type.Number(),
  /** Configured pipelines, name to kind of sensor; they run from the next boot on. */
  pipelines: Type.Record(Type.String(), Type.String()),
})
export type SystemState = Static<typeof SystemState>

export const factorySettings = (pipelines: Readonly<Record<string, string>>): SystemState => ({
  dns: { manual: [] },
  ntp: { manual: [] },
  network: {
    dhcp_enabled: true,
    persistent_ip_enabled: false,
    persistent_ip_address: '192.168.0.10',
    persistent_subnet_mask: '255.255.255.0',
    persistent_default_gateway: '',
  },
  firmware: { active: 'v1.1.0', inactive: 'v1.0.0', bootsInactive: false, fallbackBooted: false },
  uiLock: null,
  clockOffset: 0,
  pipelines: { ...pipelines },
})
