// npm run demo:operator: Node-RED with operator panel, virtual device and virtual PLC, on 127.0.0.1, with a login. The first
// start installs Dashboard and prints user and password once; only the hash is kept.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboard } from './demo/dashboard.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const home = process.env.CELLSIGHT_HOME || join(root, '.cellsight', 'operator')
const windows = process.platform === 'win32'
const require = createRequire(import.meta.url)

/** By variable; device, images and PLC as in the example. */
const ports = portsOf({ PORT: 1881, DEVICE_PORT: 8211, IMAGE_PORT: 8212, PLC_PORT: 1611 })

const unknown = process.argv.slice(2).filter((arg) => arg !== '--fresh')
if (unknown.length)
  fail(`npm run demo:operator does not know ${unknown.join(' ')}. It knows one option: --fresh`)
if (process.argv.includes('--fresh')) rmSync(home, { recursive: true, force: true })

mkdirSync(home, { recursive: true })
if (!existsSync(join(home, 'package.json'))) writeFileSync(join(home, 'package.json'), '{ "private": true }')
install()
link()
const password = makeLogin()
placeFlow()
writeFileSync(join(home, 'settings.js'), settings())

const nodeRed = spawn(process.execPath, [require.resolve('node-red/red.js'), '--userDir', home], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => nodeRed.kill(signal))
nodeRed.once('exit', (code) => process.exit(code ?? 0))
let output = ''
nodeRed.stdout.on('data', (chunk) => {
  process.stdout.write(chunk)
  if (output === undefined) return
  output += chunk
  if (!/Started flows/.test(output)) return
  output = undefined
  console.log(`
  panel       http://127.0.0.1:${ports.PORT}/dashboard/cell
  editor      http://127.0.0.1:${ports.PORT}
  login       ${password ? `operator, password ${password} (shown only now; keep it)` : 'operator, with the password of the first start'}
  project     ${relative(process.cwd(), home) || '.'}  (npm run demo:operator -- --fresh starts over, with a new password)

  ready. Ctrl+C stops everything.
`)
})

function portsOf(defaults) {
  const numbers = Object.entries(defaults).map(([name, number]) => {
    const text = process.env[name] || String(number)
    if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65535)
      fail(`${name}=${text} is not a port. Give a number from 1 to 65535.`)
    return [name, Number(text)]
  })
  return Object.fromEntries(numbers)
}

/** Needed by this demo only. */
function install() {
  if (existsSync(join(home, 'node_modules', '@flowfuse', 'node-red-dashboard'))) return
  console.log(`installing ${dashboard} …`)
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--omit=optional']
  const { status } = spawnSync('npm', ['install', ...quiet, dashboard], {
    cwd: home,
    stdio: 'inherit',
    shell: windows,
  })
  if (status !== 0) fail('Dashboard could not be installed. Check the connection to the npm registry.')
}

function link() {
  const place = join(home, 'node_modules', '@cellsight', 'node-red-vision')
  mkdirSync(dirname(place), { recursive: true })
  // npm removes unknown packages.
  if (!existsSync(place)) symlinkSync(root, place, 'junction')
}

/** @returns the password, at the first start only */
function makeLogin() {
  const file = join(home, 'login.json')
  if (existsSync(file)) return undefined
  const { hashSync } = createRequire(require.resolve('node-red'))('bcryptjs')
  const made = randomBytes(9).toString('base64url')
  writeFileSync(file, JSON.stringify({ user: 'operator', pass: hashSync(made, 10) }), { mode: 0o600 })
  return made
}

/** The imported example is read-only; here is a login. */
function placeFlow() {
  const file = join(home, 'flows.json')
  if (existsSync(file)) return
  const shipped = readFileSync(join(root, 'examples', 'operator-panel.json'), 'utf8')
  const flow = shipped
    .replace('"allowed":false', '"allowed":true')
    .replace(/\b8211\b/g, String(ports.DEVICE_PORT))
    .replace(/\b8212\b/g, String(ports.IMAGE_PORT))
    .replace(/\b1611\b/g, String(ports.PLC_PORT))
  writeFileSync(file, flow)
}

function settings() {
  return `const { user, pass } = require('./login.json')
module.exports = {
  uiHost: '127.0.0.1',
  uiPort: ${ports.PORT},
  flowFile: 'flows.json',
  credentialSecret: pass,
  httpNodeAuth: { user, pass },
  adminAuth: { type: 'credentials', users: [{ username: user, password: pass, permissions: '*' }] },
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: { enabled: false } },
}
`
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
