/** The parts of the helper that the tests use; it comes without types. */
declare module 'node-red-node-test-helper' {
  import type { Node, NodeInitializer } from 'node-red'

  interface Helper {
    init: (runtimePath: string) => void
    settings: (settings: object) => object
    startServer: () => Promise<void>
    stopServer: () => Promise<void>
    load: (nodes: NodeInitializer[], flow: object[], credentials?: object) => Promise<void>
    unload: () => Promise<void>
    setFlows: (flow: object[], type?: 'full' | 'flows' | 'nodes', credentials?: object) => Promise<void>
    clearFlows: () => Promise<void>
    getNode: (id: string) => Node | null
    log: () => { args: [{ level: number; msg: unknown; type?: string; id?: string }][] }
  }

  const helper: Helper
  export = helper
}
