import type { DeviceConfigFields, DeviceCredentials } from '../nodes/device-config/fields'
import { stored, text, type Dialog } from './dialog'

/** A device as a form describes it; credentials that are missing, or are a placeholder, are as stored. */
export interface DeviceForm
  extends Partial<Record<keyof DeviceConfigFields, string | number>>, DeviceCredentials {
  /** Id of the configuration node. */
  id: string
  /** Flow that it belongs to; empty for all flows. */
  z: string
}

/** The present content of a device's open form. */
export function openForm({ node, fields, value }: Dialog): DeviceForm {
  const scope = $('#red-ui-editor-config-scope')
  const z = text(scope.length ? scope.val() : node['z'])
  return { id: node.id, z, ...Object.fromEntries(fields.map((field) => [field, value(field).trim()])) }
}

/** The editor's settings of a device that is not deployed with these. */
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
