import type { FleetDevice } from '../../lib/fleet/messages'
import { codeOf } from '../shared/node-error'
import type { CellDevice } from './cell-devices'
import type { SettingsPrint } from './settings-prints'

/** A device as the state of the cell tells it, from what is known without asking it. */
export function deviceState({ name, device, address, since }: CellDevice, print: SettingsPrint): FleetDevice {
  const { state, trouble, metrics } = device
  const { system } = metrics
  const { firmware } = system ?? {}
  const { temperature } = metrics.values
  const pending = firmware?.next_boot_image === 'inactive_image'
  const code = codeOf(trouble)
  return {
    device: name,
    link: state,
    since,
    ...short('address', address),
    ...short('model', system?.model_name),
    ...short('serial', system?.serial),
    ...short('hostname', system?.hostname),
    ...short('firmware', firmware?.active_image.image_version),
    ...(pending && short('firmwarePending', firmware.inactive_image.image_version)),
    ...(temperature !== undefined && temperature > -273 && temperature < 1000 && { temperature }),
    ...print,
    problems: [...(code ? [code] : []), ...(firmware?.fallback_booted ? ['fallback-booted'] : [])],
  }
}

/** A text of the device that fits into the message. */
const short = (name: keyof FleetDevice, text: string | undefined) =>
  text ? { [name]: text.slice(0, 200) } : {}
