// Compiles TypeScript to dist/, with types, or quickly and file by file.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { filesBelow, fingerprint } from './fingerprint.mjs'

/** Hash of each source at its last compilation. */
const record = 'dist/.compiled.json'

/** Compiles `projects[0]`, and type-checks the others in parallel. @returns whether there was no error */
export async function compileWithTypes(sources, projects) {
  const begun = Date.now()
  const { changed, keep } = changesOf(sources)
  if (filesBelow('dist').every((file) => !file.endsWith('.js'))) rmSync('dist/.tsbuildinfo', { force: true })
  const statuses = await Promise.all(projects.map((project) => tsc('-p', project)))
  if (statuses.some((status) => status !== 0)) return false
  // The compiler does not know quick builds: a reverted source counts as compiled.
  const isEmitted = (file) => statSync(compiled(file), { throwIfNoEntry: false })?.mtimeMs >= begun
  await transpile(
    changed.filter((file) => !isEmitted(file)),
    projects[0],
  )
  keep()
  return true
}

/** Same output, without a type check. */
export async function compileQuickly(sources, project) {
  const { changed, keep } = changesOf(sources)
  // The last build with types is out of date.
  if (changed.length) rmSync('dist/.cellsight-built', { force: true })
  await transpile(changed, project)
  keep()
}

function changesOf(sources) {
  const before = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {}
  const now = Object.fromEntries(sources.map((file) => [file, fingerprint([file])]))
  return {
    changed: sources.filter((file) => before[file] !== now[file] || !existsSync(compiled(file))),
    keep: () => writeFileSync(record, JSON.stringify(now)),
  }
}

async function transpile(files, project) {
  if (!files.length) return
  const { default: ts } = await import('typescript')
  const { config } = ts.readConfigFile(project, ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  for (const fileName of files) {
    const to = compiled(fileName)
    const { outputText, sourceMapText } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
      fileName,
      compilerOptions: { ...options, declaration: false },
    })
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, outputText)
    const map = JSON.parse(sourceMapText)
    writeFileSync(`${to}.map`, JSON.stringify({ ...map, sources: [relative(dirname(to), fileName)] }))
  }
}

function compiled(source) {
  return join('dist', source.replace(/\.ts$/, '.js'))
}

function tsc(...args) {
  return new Promise((resolve) =>
    spawn(process.execPath, [join('node_modules', 'tsc', 'bin', 'tsc'), ...args], { stdio: 'inherit' }).once(
      'exit',
      resolve,
    ),
  )
}
