// npm run soak: an hour's work of every node in some minutes, with faults all the time. Fails where memory grows by
// 5 % or more.
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const most = 0.05
const { soak } = await import(pathToFileURL(join('dist', 'test', 'soak', 'soak.js')).href)
const started = Date.now()
const { messages, growth } = await soak((line) => console.log(line))
const minutes = ((Date.now() - started) / 60_000).toFixed(1)
console.log(`${messages} messages in ${minutes} min; memory in use grew by ${(100 * growth).toFixed(1)} %`)
process.exit(growth < most ? 0 : 1)
