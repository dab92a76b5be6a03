// npm start: Node-RED with the first acquisition, a simulated PLC and a virtual device, on 127.0.0.1.
import { realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { consoleLog } from './demo/console.mjs'
import { startNodeRed } from './demo/node-red.mjs'
import { checkPorts, portsFrom } from './demo/ports.mjs'
import { prepareProject } from './demo/project.mjs'

const root = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const home = process.env.CELLSIGHT_HOME || join(root, '.cellsight')
const stopWithin = 5000

const unknown = process.argv.slice(2).filter((arg) => arg !== '--fresh')
if (unknown.length)
  fail(`npm start does not know ${unknown.join(' ')}. It knows one option: npm start -- --fresh`)

let nodeRed
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop())

const ports = attempt(() => portsFrom(process.env))
await attempt(() => checkPorts(ports))
const { note, secret } = attempt(() =>
  prepareProject({ root, home, fresh: process.argv.includes('--fresh'), ports }),
)

// For flows without the variables of the shipped one.
process.env.PLC_PORT = String(ports.plc.number)
process.env.DEVICE_PORT = String(ports.device.number)

nodeRed = await attempt(() => startNodeRed({ port: ports.editor.number, home, secret, log: consoleLog }))

console.log(`
  editor      http://127.0.0.1:${ports.editor.number}
  device API  http://127.0.0.1:${ports.device.number}/api/v2  (virtual device)
  cell        http://127.0.0.1:${ports.device.number}/virtual/  (what its camera sees, and faults as buttons)
  PLC         127.0.0.1:${ports.plc.number}  (simulated, Modbus TCP; registers: comment on the tab "Cell")
  project     ${relative(process.cwd(), home) || '.'}  (npm start -- --fresh begins again with the flow as shipped)
${note ? `\n  ${note}\n` : ''}
  ready. Ctrl+C stops everything.
`)

async function stop() {
  if (stopping) return
  stopping = true
  // Must not keep the terminal.
  await Promise.race([nodeRed?.stop(), new Promise((resolve) => setTimeout(resolve, stopWithin))])
  process.exit(0)
}

function attempt(work) {
  try {
    const result = work()
    return result instanceof Promise ? result.catch(giveUp) : result
  } catch (error) {
    return giveUp(error)
  }
}

function giveUp(error) {
  // Users' mistakes have a sentence; other errors show their stack.
  fail(error.name === 'UsageError' ? error.message : error.stack)
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
