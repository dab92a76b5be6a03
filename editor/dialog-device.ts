import { deviceApi, type DeviceApi } from './device-api'
import type { Dialog } from './dialog'

/** The device that is chosen in a dialog. */
export function dialogDevice({ value }: Dialog): DeviceApi | undefined {
  const id = value('device')
  return id && RED.nodes.node(id) ? deviceApi(id) : undefined
}

/** What a field with a kind holds as a fixed text; undefined where the message or something else gives it. */
export function fixedText({ input, value }: Dialog, field: string): string | undefined {
  const element = input(field)
  if (!element.length) return undefined
  const isTyped = element.hasClass('red-ui-typedInput')
  if (isTyped && element.typedInput('type') !== 'str') return undefined
  const text = value(field).trim()
  return text.includes('${') ? undefined : text
}
