// Builds, then writes docs/api.md from the contract. With --check it only reports whether the file is up to date with
// the last build.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
if (!process.argv.includes('--check')) {
  // A table of an old build would lack the new operation.
  const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs', '--quick'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { operations } = createRequire(import.meta.url)('../dist/lib/contract')

const input = ({ params = {}, query = {}, body }) =>
  [
    ...Object.keys(params),
    ...Object.keys(query).map((name) => `?${name}`),
    ...Object.keys(body?.fields ?? {}).map((name) => `${name} (${body.encoding})`),
  ].join(', ')

const row = ([id, operation]) =>
  [
    `\`${id}\``,
    `${operation.method} \`${operation.path}\``,
    operation.summary + (operation.beyondSpecification ? ' *Beyond the specification.*' : ''),
    input(operation) || 'none',
    operation.variants?.join(', ') ?? 'both',
    (operation.ubjson ? 'JSON, UBJSON' : 'JSON') + (operation.offersFile ? ', the file' : ''),
    Object.entries(operation.errors)
      .map(([status, meaning]) => `${status} ${meaning}`)
      .join('; ') || 'none',
  ].join(' | ')

const text = `# The API, operation by operation

Generated from \`lib/contract\` by \`node scripts/api-table.mjs\`. All paths are relative to \`/api/v2\`. Every operation
may return 400 (a missing or invalid argument), 413, 415 and 429. Operations beyond the specification are known from real
devices: the specification names their group without describing them.

| Client method | Request | What it does | Input | Variant | Encodings | Errors |
|---|---|---|---|---|---|---|
${Object.entries(operations)
  .map((entry) => `| ${row(entry)} |`)
  .join('\n')}
`

if (!process.argv.includes('--check')) writeFileSync('docs/api.md', text)
else if (readFileSync('docs/api.md', 'utf8') !== text) {
  console.error('docs/api.md is out of date: run "node scripts/api-table.mjs".')
  process.exit(1)
}
