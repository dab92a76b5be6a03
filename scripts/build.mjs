// Builds dist/ and resources/ (the editor's script), and checks the types. --quick skips the types and compiles only changes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { compileQuickly, compileWithTypes } from './compile.mjs'
import { addDocstrings } from './docstrings.mjs'
import { filesBelow } from './fingerprint.mjs'
import { writeBillOfMaterials } from './sbom.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const quick = process.argv.includes('--quick')
const sourceRoots = ['lib', 'virtual-device', 'nodes', 'scripts', 'bench', 'test']

/** From other packages, with their licences. */
const carried = [
  {
    from: 'swagger-ui-dist',
    files: ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'],
    to: 'dist/virtual-device/explorer',
  },
]

removeOrphans()
await compile()
await bundleSchemaLibrary()
copyAssets()
writeDialogs()
listNodes()
await bundleEditor()
if (!quick) writeBillOfMaterials(carried.map(({ from }) => from))

/** Compiled files without a source would still be loaded. */
function removeOrphans() {
  for (const file of filesBelow(...sourceRoots.map((root) => join('dist', root)))) {
    const source = relative('dist', file).replace(/(\.d\.ts|\.js)(\.map)?$/, '.ts')
    if (!existsSync(source) && !existsSync(relative('dist', file)) && !isDialog(file)) rmSync(file)
  }
}

/** Generated from a node's description. */
function isDialog(file) {
  const node = /^dist\/nodes\/([\w-]+)\/\1\.html$/.exec(file.split(sep).join('/'))?.[1]
  return node !== undefined && existsSync(join('nodes', node, 'fields.ts'))
}

async function compile() {
  const sources = filesBelow(...sourceRoots).filter(
    (file) => /(?<!\.d)\.ts$/.test(file) && !ownDialogs().includes(file),
  )
  if (quick) await compileQuickly(sources, 'tsconfig.node.json')
  else if (await compileWithTypes(sources, ['tsconfig.node.json', 'editor'])) addDocstrings()
  else process.exit(1)
}

function ownDialogs() {
  return readdirSync('nodes')
    .map((node) => join('nodes', node, 'dialog.ts'))
    .filter((file) => existsSync(file))
}

/** From the descriptions. */
function writeDialogs() {
  const { writeDialogs: write } = createRequire(import.meta.url)('../dist/scripts/dialogs/index.js')
  write('.', 'dist')
}

/** In `package.json`, in the order of the palette, new ones last. */
function listNodes() {
  const file = 'package.json'
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const listed = manifest['node-red'].nodes
  const there = readdirSync('nodes').filter((node) => existsSync(join('nodes', node, 'fields.ts')))
  const kept = Object.keys(listed).filter((node) => there.includes(node))
  const names = [...kept, ...there.filter((node) => !(node in listed))]
  const nodes = Object.fromEntries(names.map((node) => [node, `dist/nodes/${node}/${node}.js`]))
  if (JSON.stringify(nodes) === JSON.stringify(listed)) return
  manifest['node-red'].nodes = nodes
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`)
}

function copyAssets() {
  // Help and texts are completed with common parts before they are written.
  const assets = filesBelow(...sourceRoots).filter(
    (file) => /\.(html|css|js|json|svg|png|proto|py)$/.test(file) && !isTextOfNode(file),
  )
  for (const asset of assets) copy(asset, join('dist', asset))
  // Node-RED finds icons beside any node file.
  const firstNode = readdirSync('nodes').find((name) => existsSync(`nodes/${name}/fields.ts`))
  for (const { from, files, to } of carried)
    for (const file of files) copy(`node_modules/${from}/${file}`, `${to}/${from}/${file}`)
  if (firstNode) for (const icon of filesBelow('icons')) copy(icon, join('dist/nodes', firstNode, icon))
}

function isTextOfNode(file) {
  return /^nodes\/([\w-]+)\/locales\/[\w-]+\/\1\.(html|json)$/.test(file.split(sep).join('/'))
}

function copy(from, to) {
  const there = statSync(to, { throwIfNoEntry: false })
  if (there && there.mtimeMs >= statSync(from).mtimeMs && there.size === statSync(from).size) return
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}

/** One file instead of the 250 of the schema library. */
async function bundleSchemaLibrary() {
  const licence = readFileSync('node_modules/@sinclair/typebox/license', 'utf8')
  await build({
    entryPoints: ['lib/typebox/index.ts'],
    outfile: 'dist/lib/typebox/index.js',
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    banner: { js: `/*! @sinclair/typebox\n\n${licence}*/` },
    logLevel: 'warning',
  })
}

async function bundleEditor() {
  rmSync('resources', { recursive: true, force: true })
  if (!existsSync('editor/index.ts')) return
  await build({
    stdin: { contents: editorEntry(), resolveDir: '.', loader: 'ts' },
    outfile: 'resources/editor.js',
    // Otherwise esbuild uses the nearest settings of each file.
    tsconfig: 'editor/tsconfig.json',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    loader: { '.css': 'text' },
    logLevel: 'warning',
  })
}

function editorEntry() {
  const dialogs = ownDialogs()
  return [
    `import { ownDialogs } from './editor/own-dialogs'`,
    `import './editor/index'`,
    ...dialogs.map((file, index) => `import dialog${index} from './${file.split(sep).join('/')}'`),
    ...dialogs.map((file, index) => `ownDialogs['vision-${file.split(sep).at(-2)}'] = dialog${index}`),
  ].join('\n')
}
