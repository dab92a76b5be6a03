/** For tests and demo; runs on Node.js 20 with Node-RED 4.1 and 5.0. */
export const dashboard = '@flowfuse/node-red-dashboard@1.31.0'
