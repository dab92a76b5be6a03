import { asFloat } from '../../lib/codec/json'
import { seededRandom } from '../../virtual-device/values'

/** Vary as a device's answers do. */
interface Bodies {
  name: string
  bodies: readonly unknown[]
}

/** Enough to defeat a cache of the last message. */
const variants = 64
const random = seededRandom(1)
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const kind = (name: string, make: (variant: number) => unknown): Bodies => ({
  name,
  bodies: times(variants, make),
})

export const codecBodies: readonly Bodies[] = [
  kind('a parameter', () => parameter(1)),
  kind('20 parameters', () => times(20, parameter)),
  kind('SysInfo', sysInfo),
  kind('100 log entries', (variant) => times(100, (index) => logEntry(variant * 100 + index))),
  kind('100 poses', () => times(100, pose)),
  kind('200 texts, all new', () => times(200, () => random().toString(36).slice(2, 14))),
]

function parameter(index: number): object {
  const base = { name: `${['exposure', 'quality', 'threshold', 'maximum_depth'][index % 4] ?? ''}_${index}` }
  const description = 'What it does, in a sentence or two of usual length'
  if (index % 4 === 1) {
    const choices = `${description}: [Low, Medium, High, Full]`
    return { ...base, type: 'string', value: 'High', default: 'Full', min: '', max: '', description: choices }
  }
  const whole = index % 4 === 2
  const number = (value: number) => (whole ? Math.floor(value) : asFloat(value))
  const type = whole ? 'int32' : 'float64'
  const limits = { min: number(0), max: number(100) }
  return { ...base, type, value: number(random() * 100), default: number(25), ...limits, description }
}

function sysInfo(variant: number): object {
  const addresses = ['192.168.0.1', '192.168.0.2']
  return {
    dns: { dns_servers: addresses, manual_dns_servers: [] },
    firmware: {
      active_image: { image_version: 'device_v25.1.0-single' },
      inactive_image: { image_version: 'device_v24.7.0-single' },
      fallback_booted: false,
      next_boot_image: 'active_image',
    },
    hostname: 'vision-02912345',
    link_speed: 1000,
    mac: '00:14:2d:2b:d8:ab',
    ntp: {
      enabled: true,
      manual_ntp_servers: addresses,
      offset: asFloat(random() / 1000),
      selected_ntp_servers: addresses,
      synchronized: true,
    },
    ptp_status: {
      master_ip: '0.0.0.0',
      offset: asFloat(0),
      offset_dev: asFloat(0),
      offset_mean: asFloat(0),
      state: 'off',
    },
    ready: true,
    serial: '02912345',
    time: asFloat(1_700_000_000 + variant + random()),
    uptime: asFloat(variant + random()),
  }
}

function logEntry(number: number): object {
  return {
    component: ['camera', 'stereomatching', 'hand_eye_calibration'][number % 3],
    level: ['INFO', 'DEBUG', 'WARN'][number % 3],
    message: `parameter exposure_${number} was written by the client at 192.168.0.${number % 250}`,
    timestamp: asFloat(1_700_000_000 + number + random()),
  }
}

function pose(): object {
  return {
    position: { x: asFloat(random()), y: asFloat(random()), z: asFloat(random()) },
    orientation: { x: asFloat(random()), y: asFloat(random()), z: asFloat(random()), w: asFloat(random()) },
  }
}
