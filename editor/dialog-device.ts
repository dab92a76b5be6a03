import { deviceApi, type DeviceApi } from './device-api'
import type { Dialog } from './dialog'

/** The device selected in a dialog. */
export function dialogDevice({ value }: Dialog): DeviceApi | undefined {
  const id = value('device')
  return id && RED.nodes.node(id) ? deviceApi(id) : undefined
}

/** The fixed text in a field with a kind; undefined if the message or another source has the value. */
export function fixedText({ input, value }: Dialog, field: string): string | undefined {
  const element = input(field)
  if (!element.length) return undefined
  const isTyped = element.hasClass('red-ui-typedInput')
  if (isTyped && element.typedInput('type') !== 'str') return undefined
  const text = value(field).trim()
  return text.includes('${') ? undefined : text
}
