import type { NodeMessage } from 'node-red'

/** Reads one field for a message. Fields that Node-RED can evaluate only with a callback are read ahead of the work. */
export type PreparedField =
  | { ahead: false; read: (msg: NodeMessage) => unknown }
  | { ahead: true; read: (msg: NodeMessage) => Promise<unknown> }
