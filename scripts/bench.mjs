// npm run bench -- NAME: measures, prints a table, stores it in bench/RESULTS.md. Without a name: all of bench/.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const benches = await findBenches()
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !benches.has(name))
if (unknown.length) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${[...benches.keys()].join(', ')}.`)
  process.exit(2)
}

console.log(circumstances())
for (const name of chosen.length ? chosen : benches.keys()) {
  console.log(`\n${name}`)
  const measured = table(await benches.get(name)())
  console.log(measured)
  keep(name, measured)
}
process.exit(0)

/** Replaces an earlier table. */
function keep(name, measured) {
  const file = join('bench', 'RESULTS.md')
  const [intro, ...sections] = readFileSync(file, 'utf8').split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`))
  const section = `## ${name}\n\n${circumstances()}\n\n\`\`\`text\n${measured}\n\`\`\`\n`
  const all = [...others.map((other) => `${other.trimEnd()}\n`), section].sort()
  writeFileSync(file, intro + all.join('\n'))
}

/** Date, machine and versions. */
function circumstances() {
  const version = (name) => createRequire(import.meta.url)(`${name}/package.json`).version
  const date = new Date().toISOString().slice(0, 10)
  return `${date} · Node.js ${process.version} · Node-RED ${version('node-red')} · undici ${version('undici')} · ${machine()}`
}

async function findBenches() {
  const folder = join('dist', 'bench')
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'))
  const modules = await Promise.all(
    files.map(async (file) => [basename(file, '.js'), await import(pathToFileURL(join(folder, file)).href)]),
  )
  return new Map(modules.filter(([, { run }]) => run).map(([name, { run }]) => [name, run]))
}

function machine() {
  const [cpu] = os.cpus()
  return `${os.cpus().length} × ${cpu?.model.trim() ?? os.arch()}, ${os.platform()} ${os.release()}`
}

function table(rows) {
  const lines = rows.map(({ what, value, unit, against, ratio }) => [
    what,
    rounded(value),
    unit,
    against ? `${rounded(ratio)} × ${against}` : '',
  ])
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column].length))) ?? []
  return lines
    .map((line) =>
      line
        .map((cell, column) => (column === 1 ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Three significant figures. */
function rounded(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
