// The stages of test:all that need packages of others, installed into a scratch folder: `operator`, the pages of Dashboard in
// a browser, on Node-RED 4.1 and 5.0, and `protocols`, the PLC examples with the nodes of other packages against peers that
// play a PLC. Everything stays on 127.0.0.1.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dashboard } from './demo/dashboard.mjs'
import { installInto } from './scratch.mjs'
import { mochaOf, runnable } from './stages.mjs'

const windows = process.platform === 'win32'

/** Versions of Node-RED; the one among our development dependencies runs on the Node.js that runs this. */
const versions = { 4.1: [], '5.0': ['node@22', 'node-red@~5.0.0'] }

/** Later versions of the OPC UA server want a newer Node.js, later Modbus nodes are not on the registry as a whole. */
const packagesOfProtocols = [
  'node-red-contrib-s7@3.1.3',
  'node-red-contrib-opcua@0.2.354',
  'node-red-contrib-modbus@5.23.3',
  'node-opcua-server@2.182.2',
  'mqtt@5',
  'aedes@1.2.0',
  'mcprotocol@0.1.2',
]

/** Each installs below a folder, and has its jobs and a line for each group that cannot run here, as those of tests do. */
export const stagesWithPackages = {
  protocols: (folder) => {
    const place = installInto(join(folder, 'protocols'), packagesOfProtocols, [
      '--ignore-scripts',
      '--omit=optional',
    ])
    const job = {
      ...mochaOf(['dist/test/protocols/protocols.js', 'dist/test/protocols/mcprotocol.js']),
      name: 'protocols: test/protocols',
      env: { CELLSIGHT_TEST_PALETTE: place },
    }
    // Its broker is the installed one, or one of the packages.
    return { jobs: [job], skipped: [] }
  },

  operator: (folder) => {
    const { files, skipped } = runnable(
      readdirSync(join('dist', 'test', 'operator'))
        .filter((file) => file.endsWith('.js'))
        .map((file) => `dist/test/operator/${file}`),
    )
    if (!files.length) return { jobs: [], skipped }
    const jobs = Object.entries(versions).flatMap(([version, packages]) => {
      const env = environmentOf(folder, version, packages)
      const nameOf = (file) =>
        `operator: ${file.replace('dist/', '').replace('.js', '')} on Node-RED ${version}`
      return files.map((file) => ({ ...mochaOf([file]), name: nameOf(file), env }))
    })
    return { jobs, skipped }
  },
}

/** Installs what a version needs. */
function environmentOf(folder, version, packages) {
  const palette = installInto(join(folder, 'dashboard'), [dashboard], ['--ignore-scripts'])
  if (!packages.length) return { CELLSIGHT_TEST_PALETTE: palette }
  // The package `node` fetches its program in a script of its own.
  const own = join(installInto(join(folder, version), packages), 'node_modules')
  return {
    CELLSIGHT_TEST_PALETTE: palette,
    CELLSIGHT_TEST_NODE: join(own, 'node', 'bin', windows ? 'node.exe' : 'node'),
    CELLSIGHT_TEST_NODE_RED: join(own, 'node-red', 'red.js'),
  }
}
