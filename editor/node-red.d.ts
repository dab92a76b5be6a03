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
  interface Sidebar {
    /** `target`: Node-RED 5 has a sidebar on each side. */
    addTab(options: {
      id: string
      name: string
      label: string
      iconClass: string
      content: HTMLElement
      toolbar?: HTMLElement
      target?: 'primary' | 'secondary'
    }): void
  }
  interface Actions {
    /** `label`: shown in lists of actions instead of the name. */
    add(name: string, handler: () => void, options: { label: string }): void
  }
  interface Keyboard {
    /** The default key of an action; the user may choose another one. */
    add(scope: string, key: string, action: string): void
  }
  interface Menu {
    /**
     * `onselect`: name of an action, whose key is shown after the label. Entries of a group, recognised by name, are
     * adjacent.
     */
    addItem(menu: string, entry: { id: string; label: string; onselect: string; group: string }): void
  }
  interface Workspaces {
    isLocked(): boolean
  }
  interface View {
    readonly snapGrid: boolean
    redrawStatus(node: object): void
    /** In the open flow; the node is not added to it yet. */
    createNode(type: string, x: number, y: number): { node: object; historyEvent: HistoryEvent }
  }
  interface Nodes {
    add(node: object, options: { source: string }): object
    /** Stops when the visitor returns false. */
    eachConfig(visit: (node: EditorNode) => boolean): void
    eachNode(visit: (node: EditorNode) => boolean): void
    group(id: string): object | null
    workspace(id: string): { disabled?: boolean } | null
  }
  interface Hooks {
    /** `id`: the hook, a dot and a name. This one is for the debug sidebar, called after a message is shown. */
    add(id: string, called: (event: { element: JQuery; payload?: DebugPayload }) => void): void
    remove(id: string): void
  }
  /** An object in the debug sidebar, such as an error. */
  interface DebugPayload {
    data?: { name?: string; message?: string; code?: string }
  }
  interface RED {
    hooks: Hooks
  }
  interface Editor {
    editConfig(name: string, type: string, id: string): void
  }
}

declare global {
  const RED: editorClient.RED

  /** A node in the editor: its fields beside what Node-RED adds. */
  interface EditorNode extends Readonly<Record<string, unknown>> {
    readonly id: string
    readonly type: string
    readonly _def: NodeDefinition
    /** Translates a key in the catalog of the node's type. */
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
    /** The type of the configuration node that the field refers to; for a credential, `text` or `password`. */
    type?: string
    validate?: (this: EditorNode, value: unknown, options?: object) => boolean | string
  }
}
