/** The used parts; the helper has no types. */
declare module 'node-red-node-test-helper' {
  import type { RequestListener } from 'node:http'
  import type { Node, NodeInitializer } from 'node-red'

  interface Helper {
    init: (runtimePath: string) => void
    settings: (settings: object) => object
    startServer: () => Promise<void>
    stopServer: () => Promise<void>
    load: (nodes: NodeInitializer[], flow: object[], credentials?: object) => Promise<void>
    unload: () => Promise<void>
    /** The helper's own `setFlows` allows only 300 ms. */
    _redNodes: { setFlows: (flow: object[], credentials: object, type: string) => Promise<unknown> }
    /** Routes of the editor. */
    _httpAdmin: RequestListener
    getNode: (id: string) => Node | null
    log: () => { args: [{ level: number; msg: unknown; type?: string }][] }
  }

  const helper: Helper
  export = helper
}
