// Builds dist/ (compiled code beside its dialogs, locales and icons) and resources/ (the editor's script).
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { filesBelow } from './fingerprint.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const sourceRoots = ['lib', 'virtual-device', 'nodes', 'bench', 'test']

/** Files of other packages that ours carries, with their licences. */
const carried = [
  {
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'],
    to: 'dist/virtual-device/explorer',
  },
]

removeOrphans()
compile()
copyAssets()
await bundleEditor()

/** Compiled files whose source is gone would still be loaded and tested. */
function removeOrphans() {
  for (const file of filesBelow(...sourceRoots.map((root) => join('dist', root)))) {
    const source = relative('dist', file).replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts')
    if (!existsSync(source) && !existsSync(relative('dist', file))) rmSync(file)
  }
}

function compile() {
  if (filesBelow('dist').every((file) => !file.endsWith('.js'))) rmSync('dist/.tsbuildinfo', { force: true })
  const tsc = join('node_modules', 'typescript', 'bin', 'tsc')
  for (const args of [['-p', '.'], ...(existsSync('editor/tsconfig.json') ? [['-p', 'editor']] : [])]) {
    const { status } = spawnSync(process.execPath, [tsc, ...args], { stdio: 'inherit' })
    if (status !== 0) process.exit(1)
  }
}

function copyAssets() {
  const assets = filesBelow(...sourceRoots).filter((file) => /\.(html|js|json|svg|png|proto|py)$/.test(file))
  for (const asset of assets) copy(asset, join('dist', asset))
  // Node-RED finds a package's icons beside any one of its node files.
  const firstNode = readdirSync('nodes').find((name) => existsSync(`nodes/${name}/${name}.html`))
  for (const { from, files, to } of carried)
    for (const file of files) copy(`node_modules/${from}/${file}`, `${to}/${from}/${file}`)
  if (firstNode) for (const icon of filesBelow('icons')) copy(icon, join('dist/nodes', firstNode, icon))
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

async function bundleEditor() {
  rmSync('resources', { recursive: true, force: true })
  if (!existsSync('editor/index.ts')) return
  await build({
    entryPoints: { editor: 'editor/index.ts' },
    outdir: 'resources',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  })
}
