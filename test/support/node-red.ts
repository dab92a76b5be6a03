import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { end } from './end-of'
import { mustBeStopped } from './left-running'
import { root } from './root'

const ownProgram = createRequire(__filename).resolve('node-red/red.js')
/** `npm run test:matrix` runs the same tests on other versions, with the package installed as a user would. */
const { CELLSIGHT_TEST_NODE, CELLSIGHT_TEST_NODE_RED, CELLSIGHT_TEST_PACKAGE } = process.env

export interface NodeRedOptions {
  /** The folder of the package under test. @default this project */
  packageFolder?: string
  /** The initial flows. @default none */
  flows?: readonly object[]
  /** Path of its `red.js`. @default of the Node-RED among our development dependencies */
  program?: string
  /** Further packages from our development dependencies that are installed in it. @default none */
  palette?: readonly string[]
  /** The folder in whose `node_modules` they are. @default this project */
  paletteFolder?: string
  /** The user folder of a killed one, to continue with it. @default a new one */
  userDir?: string
  /** Variables that its flows read. */
  environment?: Readonly<Record<string, string>>
  /** In addition to those that keep it quiet and offline. */
  settings?: Readonly<Record<string, unknown>>
  /** It runs until the end of all tests, and who shares it stops it. */
  isShared?: boolean
}

export interface NodeRed {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  url: string
  userDir: string
  /** Of the process. */
  pid: number
  /** Everything printed so far. */
  output(): string
  /** One resource of its admin API as JSON. */
  get(path: string): Promise<unknown>
  /** The flows that it runs. */
  flows(): Promise<Record<string, unknown>[]>
  /** Replaces its flows. @returns their revision */
  deploy(flows: readonly object[]): Promise<string>
  /** Kills the process in the middle of its work. Its folder is kept. */
  kill(): Promise<void>
  /** Ends the process and deletes its folder. */
  stop(): Promise<void>
}

/** A real Node-RED in a process of its own, on a free port, with a new user folder and our package installed there. */
export async function startNodeRed(options: NodeRedOptions = {}): Promise<NodeRed> {
  const {
    packageFolder = CELLSIGHT_TEST_PACKAGE ?? root,
    flows = [],
    palette = [],
    paletteFolder = root,
    settings = {},
  } = options
  const { program = CELLSIGHT_TEST_NODE_RED ?? ownProgram } = options
  const userDir = options.userDir ?? mkdtempSync(join(tmpdir(), 'cellsight-node-red-'))
  if (options.userDir === undefined) {
    const installed = join(userDir, 'node_modules', '@cellsight', 'node-red-vision')
    mkdirSync(dirname(installed), { recursive: true })
    symlinkSync(packageFolder, installed, 'junction')
    for (const name of palette) {
      const link = join(userDir, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(paletteFolder, 'node_modules', name), link, 'junction')
    }
    writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows))
    writeFileSync(join(userDir, 'settings.js'), settingsFile(settings))
  }

  const guard = ['loopback-only.js', 'free-ports-only.js'].flatMap((file) => [
    '--require',
    join(__dirname, file),
  ])
  const child = spawn(CELLSIGHT_TEST_NODE ?? process.execPath, [...guard, program, '--userDir', userDir], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_RED_HOME: undefined, PORT: undefined, ...options.environment },
  })
  mustBeStopped(child, 'Node-RED', !options.isShared)
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    const collect = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /now running at (http:\S+?)\/?\s/.exec(output)?.[1]
      if (address && /Started flows/.test(output)) resolve(address)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('exit', (code) => reject(new Error(`Node-RED ended with ${String(code)}:\n${output}`)))
  }).catch((error: unknown) => {
    rmSync(userDir, { recursive: true, force: true })
    throw error
  })

  const get = async (path: string): Promise<unknown> =>
    (await fetch(url + path, { headers: { accept: 'application/json' } })).json()

  return {
    url,
    userDir,
    pid: child.pid ?? 0,
    output: () => output,
    get,
    flows: async () => (await get('/flows')) as Record<string, unknown>[],
    deploy: async (replacement) => {
      const answer = await fetch(`${url}/flows`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'node-red-api-version': 'v2' },
        body: JSON.stringify({ flows: replacement }),
      })
      if (!answer.ok) throw new Error(`Node-RED answered ${answer.status} to the flows`)
      return ((await answer.json()) as { rev: string }).rev
    },
    kill: () => end(child, 'SIGKILL'),
    stop: async () => {
      await end(child)
      rmSync(userDir, { recursive: true, force: true })
    },
  }
}

/**
 * Files of Node-RED's own nodes that no test and no example has: it starts with a fifth less of the processor without them.
 * Who needs one takes it off the list; flows with a node that is missing do not start.
 */
const nodesOfNobody = [
  '06-httpproxy.js',
  '16-range.js',
  '18-sort.js',
  '19-batch.js',
  '21-httprequest.js',
  '23-watch.js',
  '32-udp.js',
  '70-HTML.js',
  '70-XML.js',
  '70-YAML.js',
  '90-exec.js',
]

function settingsFile(settings: object) {
  const quiet = {
    uiPort: 0,
    uiHost: '127.0.0.1',
    flowFile: 'flows.json',
    credentialSecret: 'a test',
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false, projects: { enabled: false }, codeEditor: { lib: 'ace' } },
    externalModules: { autoInstall: false, palette: { allowInstall: false } },
    // Our development dependencies are above its own folder, where it also looks for nodes.
    nodesExcludes: ['node-red-contrib-modbus', ...nodesOfNobody],
    ...settings,
  }
  // It must not outlive a killed test run.
  return `process.on('disconnect', () => process.exit())\nmodule.exports = ${JSON.stringify(quiet)}\n`
}
