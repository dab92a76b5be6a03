// Writes docs/calibration-grid.svg: the usual grid on A4, to be printed at 100 %. --check only reports whether it is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { gridPattern } = createRequire(import.meta.url)('../dist/lib/images/grid')

const file = 'docs/calibration-grid.svg'
/** Millimetres. */
const sheet = { width: 297, height: 210 }
const grid = { width: 260, height: 180 }
const ruler = 100

const { columns, rows } = gridPattern(grid.width / 1000, grid.height / 1000)
const square = { width: grid.width / columns, height: grid.height / rows }
const left = (sheet.width - grid.width) / 2
const top = (sheet.height - grid.height) / 2

const squares = Array.from({ length: rows }, (_, row) =>
  Array.from({ length: columns }, (_, column) => ({ row, column })),
)
  .flat()
  .filter(({ row, column }) => (row + column) % 2 === 0)
  .map(({ row, column }) => {
    const at = `M${left + column * square.width} ${top + row * square.height}`
    return `${at}h${square.width}v${square.height}h-${square.width}z`
  })

const bottom = sheet.height - 5
const text = `<svg xmlns="http://www.w3.org/2000/svg" width="${sheet.width}mm" height="${sheet.height}mm" viewBox="0 0 ${sheet.width} ${sheet.height}">
<rect width="100%" height="100%" fill="#fff"/>
<path d="${squares.join('\n')}" shape-rendering="crispEdges"/>
<path d="M${left} ${bottom - 1.5}v1.5h${ruler}v-1.5" fill="none" stroke="#000" stroke-width=".2"/>
<text x="${left + ruler + 3}" y="${bottom}" font-family="sans-serif" font-size="3">${ruler} mm · ${columns} × ${rows} × ${square.width} mm = ${grid.width} × ${grid.height} mm</text>
</svg>
`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error(`${file} is not of today: node scripts/grid-page.mjs`)
  process.exitCode = 1
}
