import type { DeviceConfigFields, DeviceCredentials } from '../nodes/device-config/fields'
import { stored, text, type Dialog } from './dialog'

/** A device as a form has it; credentials that are left out, or are a placeholder, are as they are stored. */
export interface DeviceForm
  extends Partial<Record<keyof DeviceConfigFields, string | number>>, DeviceCredentials {
  /** Of the configuration node. */
  id: string
  /** Of the flow that it belongs to; empty for all flows. */
  z: string
}

/** What the open form of a device holds now. */
export function openForm({ node, fields, value }: Dialog): DeviceForm {
  const scope = $('#red-ui-editor-config-scope')
  const z = text(scope.length ? scope.val() : node['z'])
  return { id: node.id, z, ...Object.fromEntries(fields.map((field) => [field, value(field).trim()])) }
}

/** What the editor holds of a device that is not deployed as it is now. */
export function savedForm(node: EditorNode): DeviceForm {
  const { defaults, credentials = {} } = node._def
  const typed = node['credentials'] as Readonly<Record<string, unknown>> | undefined
  return {
    id: node.id,
    z: text(node['z']),
    ...Object.fromEntries(Object.keys(defaults).map((field) => [field, text(stored(node, field))])),
    ...Object.fromEntries(
      Object.keys(credentials).flatMap((name) =>
        typeof typed?.[name] === 'string' ? [[name, typed[name]]] : [],
      ),
    ),
  }
}
