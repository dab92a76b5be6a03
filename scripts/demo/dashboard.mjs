/** The version of Dashboard that tests and demo install on demand: it runs on Node.js 20 with Node-RED 4.1, and with 5.0. */
export const dashboard = '@flowfuse/node-red-dashboard@1.31.0'
