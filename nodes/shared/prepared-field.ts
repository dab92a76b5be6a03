import type { NodeMessage } from 'node-red'

/** Reads one field for a message. Those that Node-RED can only evaluate with a callback are read ahead of the work. */
export type PreparedField =
  | { ahead: false; read: (msg: NodeMessage) => unknown }
  | { ahead: true; read: (msg: NodeMessage) => Promise<unknown> }
