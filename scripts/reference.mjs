// Builds, then writes the generated pages of docs: api.md from the contract, nodes.md, codes.md and llms.txt from the nodes'
// descriptions, help and codes, and the headings of troubleshooting.md from the messages. With --check it only reports which of them are out of date with the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const checks = process.argv.includes('--check')
if (!checks) {
  // Pages of an old build would lack what is new.
  const { status } = spawnSync(process.execPath, ['scripts/ensure.mjs', '--quick'], { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
const { apiPage } = await import('./reference/api.mjs')
const { nodesPage } = await import('./reference/nodes.mjs')
const { codesPage } = await import('./reference/codes.mjs')
const { troubleshootingPage } = await import('./reference/troubleshooting.mjs')
const { llmsText } = await import('./reference/llms.mjs')

// The last one reads the others.
for (const [file, text] of [
  ['docs/api.md', apiPage],
  ['docs/nodes.md', nodesPage],
  ['docs/codes.md', codesPage],
  ['docs/troubleshooting.md', troubleshootingPage],
  ['docs/llms.txt', llmsText],
]) {
  const content = text()
  if (existsSync(file) && readFileSync(file, 'utf8') === content) continue
  if (!checks) writeFileSync(file, content)
  else {
    console.error(`${file} is out of date: run "npm run docs".`)
    process.exitCode = 1
  }
}
