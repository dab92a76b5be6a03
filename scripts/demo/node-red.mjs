import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { settingsFor } from './settings.mjs'

const require = createRequire(import.meta.url)
const requireOfNodeRed = createRequire(require.resolve('node-red'))

/** In this process, on loopback; resolves once flows and editor run. */
export async function startNodeRed({ port, home, secret, log }) {
  const express = requireOfNodeRed('express')
  const RED = require('node-red')

  const app = express()
  const server = createServer(app)
  const expected = () => RED.log._('nodes.credentials.encryptedNotFound')
  const logUnexpected = (entry) => entry.msg !== expected() && log(entry)
  RED.init(server, settingsFor({ port, home, secret, log: logUnexpected }))
  app.use('/', RED.httpAdmin)
  app.use('/', RED.httpNode)

  const flowsRun = new Promise((resolve) => RED.events.once('flows:started', resolve))
  await RED.start()
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  await flowsRun

  return {
    stop: async () => {
      await RED.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
