// npm run test:protocols: installs the nodes of other packages and peers that play a PLC into a scratch folder, and runs
// the examples with them in a real Node-RED: S7, OPC UA, MQTT, Modbus. Everything stays on 127.0.0.1.
// npm run test:protocols -- plc-s7 runs one of them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installInto, run } from './scratch.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

/** Later versions of the OPC UA server want a newer Node.js, later Modbus nodes are not on the registry as a whole. */
const packages = [
  'node-red-contrib-s7@3.1.3',
  'node-red-contrib-opcua@0.2.354',
  'node-red-contrib-modbus@5.23.3',
  'node-opcua-server@2.182.2',
  'mqtt@5',
  'aedes@1.2.0',
]

const chosen = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'cellsight-protocols-'))
try {
  const started = Date.now()
  installInto(folder, packages, ['--ignore-scripts', '--omit=optional'])
  const only = chosen.length ? ['--grep', `example (${chosen.join('|')}) `] : []
  const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js')
  run(process.execPath, [mocha, ...only, join('dist', 'test', 'protocols', 'protocols.js')], {
    env: { CELLSIGHT_TEST_PALETTE: folder },
  })
  console.log(`protocols: ok in ${Math.round((Date.now() - started) / 1000)} s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
