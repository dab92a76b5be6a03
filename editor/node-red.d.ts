/// <reference types="jquery" />
import type editorClient from '@node-red/editor-client'

// Missing in Node-RED's type definitions.
declare module '@node-red/editor-client' {
  interface Utils {
    /** @returns true, or the translated reason */
    validateTypedProperty(value: unknown, kind: string, options?: object): true | string
  }
  interface Tray {
    resize(): void
  }
  interface Sidebar {
    /** `target`: Node-RED 5 has two sidebars. */
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
    /** `label`: shown instead of the name. */
    add(name: string, handler: () => void, options: { label: string }): void
  }
  interface Keyboard {
    /** Default key; users may change it. */
    add(scope: string, key: string, action: string): void
  }
  interface Menu {
    /** `onselect`: an action, whose key follows the label. Entries of a group are adjacent, sorted by name. */
    addItem(menu: string, entry: { id: string; label: string; onselect: string; group: string }): void
  }
  interface Workspaces {
    isLocked(): boolean
  }
  interface View {
    readonly snapGrid: boolean
    redrawStatus(node: object): void
    /** In the open flow; not added to it yet. */
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
    /** `id`: hook, dot, name. This hook is called after the debug sidebar has shown a message. */
    add(id: string, called: (event: { element: JQuery; payload?: DebugPayload }) => void): void
    remove(id: string): void
  }
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

  /** Fields beside what Node-RED adds. */
  interface EditorNode extends Readonly<Record<string, unknown>> {
    readonly id: string
    readonly type: string
    readonly _def: NodeDefinition
    /** Translates by the catalog of the node's type. */
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
    /** Type of the config node; for a credential, `text` or `password`. */
    type?: string
    validate?: (this: EditorNode, value: unknown, options?: object) => boolean | string
  }
}
