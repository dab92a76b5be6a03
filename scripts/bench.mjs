// npm run bench -- NAME: measures and prints a table; without a name everything in bench/ that measures.
import { readdirSync } from 'node:fs'
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

console.log(`${new Date().toISOString().slice(0, 10)} · Node.js ${process.version} · ${machine()}`)
for (const name of chosen.length ? chosen : benches.keys()) {
  console.log(`\n${name}`)
  console.log(table(await benches.get(name)()))
}
process.exit(0)

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

/** Three figures that mean something. */
function rounded(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}
