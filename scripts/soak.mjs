// npm run soak: an hour's work of every node in minutes, with constant faults. Fails if memory grows by 5 %, something is left,
// a message does not end exactly once, or a node took no part.
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const most = 0.05
const { soak } = await import(pathToFileURL(join('dist', 'test', 'soak', 'soak.js')).href)
const started = Date.now()
const { messages, ownMessages, growth, left } = await soak((line) => console.log(line))
const minutes = ((Date.now() - started) / 60_000).toFixed(1)
const percent = (share) => `${(100 * share).toFixed(1)} %`
console.log(`${messages} messages in ${minutes} min, and ${ownMessages} that nodes sent by themselves`)
console.log(`memory in use grew by ${percent(growth.all)}, the heap in it by ${percent(growth.heap)}`)
for (const line of left) console.log(`left over: ${line}`)
const failed = !(growth.all < most && growth.heap < most) || left.length > 0
console.log(failed ? 'FAILED' : 'nothing left over')
process.exit(failed ? 1 : 0)
