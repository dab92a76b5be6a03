import { deviceApi, type DeviceApi } from './device-api'
import { awaited } from './device-trouble'
import type { Dialog } from './dialog'

/** The device selected in a dialog, which says why it does not answer and reads again. */
export function dialogDevice(dialog: Dialog): DeviceApi | undefined {
  const id = dialog.value('device')
  if (!id || !RED.nodes.node(id)) return undefined
  const api = deviceApi(id)
  return {
    ...api,
    read: (operation, input, options) => awaited(dialog, api.read(operation, input, options)),
    ask: (node, service, options) => awaited(dialog, api.ask(node, service, options)),
  }
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
