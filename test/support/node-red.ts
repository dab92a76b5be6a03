import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { end } from './end-of'
import { mustBeStopped } from './left-running'
import { root } from './root'

const ownProgram = createRequire(__filename).resolve('node-red/red.js')
/** Set by `npm run test:matrix`: other versions, installed package. */
const { CELLSIGHT_TEST_NODE, CELLSIGHT_TEST_NODE_RED, CELLSIGHT_TEST_PACKAGE } = process.env

export interface NodeRedOptions {
  /** Package under test. @default this project */
  packageFolder?: string
  /** Initial. @default none */
  flows?: readonly object[]
  /** Of `red.js`. @default the development dependency */
  program?: string
  /** Development dependencies to install in it. @default none */
  palette?: readonly string[]
  /** Whose `node_modules` has them. @default this project */
  paletteFolder?: string
  /** Of a killed one, to continue. @default a new one */
  userDir?: string
  /** For its flows. */
  environment?: Readonly<Record<string, string>>
  /** Besides those that keep it quiet and offline. */
  settings?: Readonly<Record<string, unknown>>
  /** Runs until the end of all tests. */
  isShared?: boolean
}

export interface NodeRed {
  /** `http://127.0.0.1:<port>` */
  url: string
  userDir: string
  pid: number
  output(): string
  /** JSON from the admin API. */
  get(path: string): Promise<unknown>
  flows(): Promise<Record<string, unknown>[]>
  /** @returns the revision */
  deploy(flows: readonly object[]): Promise<string>
  /** Keeps the folder. */
  kill(): Promise<void>
  /** Deletes the folder. */
  stop(): Promise<void>
}

/** Real, in a process, on a free port, with our package in a new user folder. */
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

/** Unused nodes of Node-RED: it starts with a fifth less processor time. Flows with a missing node do not start. */
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
    // Our development dependencies are above its folder, where it also looks for nodes.
    nodesExcludes: ['node-red-contrib-modbus', ...nodesOfNobody],
    ...settings,
  }
  // Must not outlive a killed run.
  return `process.on('disconnect', () => process.exit())\nmodule.exports = ${JSON.stringify(quiet)}\n`
}
