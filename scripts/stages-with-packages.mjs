// Stages of test:all that install packages into a scratch folder, on 127.0.0.1: `operator` (Dashboard in a browser, Node-RED
// 4.1 and 5.0) and `protocols` (PLC examples with other packages' nodes and simulated PLCs).
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dashboard } from './demo/dashboard.mjs'
import { installInto } from './scratch.mjs'
import { mochaOf, runnable } from './stages.mjs'

const windows = process.platform === 'win32'

/** The development dependency runs on the present Node.js. */
const versions = { 4.1: [], '5.0': ['node@22', 'node-red@~5.0.0'] }

/** Later OPC UA servers need a newer Node.js; later Modbus nodes are incomplete on the registry. */
const packagesOfProtocols = [
  'node-red-contrib-s7@3.1.3',
  'node-red-contrib-opcua@0.2.354',
  'node-red-contrib-modbus@5.23.3',
  'node-opcua-server@2.182.2',
  'mqtt@5',
  'aedes@1.2.0',
  'mcprotocol@0.1.2',
  'nodes7@0.3.18',
]

/** Snap7 has no program for every machine: it is compiled. */
const compiled = 'node-snap7@1.0.9'

/** With the headers of this Node.js where they are installed: otherwise they are fetched. */
const own = dirname(dirname(process.execPath))
const compiling = [
  '--build-from-source',
  ...(existsSync(join(own, 'include', 'node')) ? [`--nodedir=${own}`] : []),
]

/** Each installs below a folder, and returns jobs and a line for each skipped group. */
export const stagesWithPackages = {
  protocols: (folder) => {
    const place = installInto(join(folder, 'protocols'), packagesOfProtocols, [
      '--ignore-scripts',
      '--omit=optional',
    ])
    const job = {
      ...mochaOf(['protocols', 'mcprotocol', 'nodes7'].map((file) => `dist/test/protocols/${file}.js`)),
      name: 'protocols: test/protocols',
      env: { CELLSIGHT_TEST_PALETTE: place },
    }
    const { files, skipped } = runnable(['dist/test/protocols/snap7.js'])
    const snap7 = files.map((file) => ({
      ...mochaOf([file]),
      name: 'protocols: Snap7',
      env: {
        CELLSIGHT_TEST_PALETTE: installInto(join(folder, 'snap7'), [compiled], compiling),
      },
    }))
    // The broker is installed, or one of the packages.
    return { jobs: [job, ...snap7], skipped }
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

function environmentOf(folder, version, packages) {
  const palette = installInto(join(folder, 'dashboard'), [dashboard], ['--ignore-scripts'])
  if (!packages.length) return { CELLSIGHT_TEST_PALETTE: palette }
  // The package `node` fetches its program in an install script.
  const own = join(installInto(join(folder, version), packages), 'node_modules')
  return {
    CELLSIGHT_TEST_PALETTE: palette,
    CELLSIGHT_TEST_NODE: join(own, 'node', 'bin', windows ? 'node.exe' : 'node'),
    CELLSIGHT_TEST_NODE_RED: join(own, 'node-red', 'red.js'),
  }
}
