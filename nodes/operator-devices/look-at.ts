import { typedAddress } from '../../lib/contract/reading/address'
import { abortedAfter } from '../../lib/kernel/timers'
import type { DeviceConfigNode } from '../device-config/deployed-device'
import { inquiry } from '../device-config/diagnostics/diagnostics'
import type { Values } from './changes'

/** What a person wants to know of a device without opening it. */
export interface DeviceLook {
  id: string
  name: string
  /** Whether it answers, and is ready. */
  state: 'ready' | 'starting' | 'silent'
  /** The highest of its cameras, degrees Celsius. */
  temperature?: number
  firmware?: string
  isLicensed?: boolean
  /** Kibibytes of all logs whose size the device tells. */
  logs?: number
  /** What may change: firmware and parameters, by name. */
  values?: Values
}

/** Milliseconds in which a device must have answered everything. */
const patience = 10_000
const isTemperature = /(^|_)temp(erature)?(_|$)/

/** Asks a device; what it does not answer is missing. */
export async function lookAt(
  { id, name = '', fields, device }: DeviceConfigNode,
  ended: AbortSignal,
): Promise<DeviceLook> {
  const address = typedAddress(fields.address).shown
  const signal = AbortSignal.any([ended, abortedAfter(patience)])
  const { ask } = inquiry(() => device.inspection, address, signal)
  const system = await ask('getSystem')
  const own = { id, name: name || address }
  if (!system) return { ...own, state: 'silent' }
  const firmware = system.firmware.active_image.image_version
  const values: Values = { firmware }
  let temperature = -Infinity
  for (const { name: node } of (await ask('listNodes', { pipeline: '0' })) ?? []) {
    for (const parameter of (await ask('getParameters', { pipeline: '0', node })) ?? [])
      values[`${node}.${parameter.name}`] = parameter.value
    if (!node.endsWith('camera')) continue
    const status = await ask('getNodeStatus', { pipeline: '0', node })
    for (const [key, value] of Object.entries(status?.values ?? {}))
      if (isTemperature.test(key) && Number.isFinite(Number(value)))
        temperature = Math.max(temperature, Number(value))
  }
  const license = await ask('getLicense')
  const sizes = ((await ask('listLogs')) ?? []).flatMap(({ size }) => (size === undefined ? [] : [size]))
  return {
    ...own,
    state: system.ready ? 'ready' : 'starting',
    firmware,
    values,
    ...(Number.isFinite(temperature) && { temperature }),
    ...(license && { isLicensed: license.valid }),
    ...(sizes.length > 0 && { logs: sizes.reduce((sum, size) => sum + size, 0) / 1024 }),
  }
}
