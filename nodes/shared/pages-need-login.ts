import type { NodeAPI } from 'node-red'

/** Whether this Node-RED requires a login to open a page of its flows. */
export const pagesNeedLogin = (RED: NodeAPI): boolean =>
  Boolean((RED.settings as { httpNodeAuth?: unknown }).httpNodeAuth)
