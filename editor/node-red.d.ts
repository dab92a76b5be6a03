/// <reference types="jquery" />
import type editorClient from '@node-red/editor-client'

// What Node-RED's own type definitions lack.
declare module '@node-red/editor-client' {
  interface Utils {
    /** @returns true, or the translated reason */
    validateTypedProperty(value: unknown, kind: string, options?: object): true | string
  }
  interface Tray {
    resize(): void
  }
}

declare global {
  const RED: editorClient.RED

  /** A node as the editor holds it: its fields beside what Node-RED adds. */
  interface EditorNode extends Readonly<Record<string, unknown>> {
    readonly id: string
    readonly type: string
    readonly _def: NodeDefinition
    /** Translates a key of the catalog of the node's type. */
    _(key: string, values?: Record<string, unknown>): string
  }

  interface NodeDefinition {
    readonly category: string
    readonly defaults: Readonly<Record<string, FieldDefinition>>
    readonly credentials?: Readonly<Record<string, Pick<FieldDefinition, 'required' | 'type' | 'validate'>>>
  }

  interface FieldDefinition {
    value: unknown
    required?: boolean
    /** The type of the configuration node the field points to; of a credential, `text` or `password`. */
    type?: string
    validate?: (this: EditorNode, value: unknown, options?: object) => boolean | string
  }
}
