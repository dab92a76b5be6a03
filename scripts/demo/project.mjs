import { createHash, randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { withPorts } from './flow-ports.mjs'
import { UsageError } from './usage-error.mjs'

/**
 * Links our package, and copies the shipped flow with the ports unless the user has edited theirs.
 * @returns the key of the credentials file, and a note for the user
 */
export function prepareProject({ root, home, fresh, ports }) {
  try {
    linkPackage(root, home)
    const note = placeFlow(join(root, 'examples', 'first-acquisition.json'), home, fresh)
    setPorts(join(home, 'flows.json'), ports)
    return { note, secret: credentialSecret(home) }
  } catch (error) {
    if (!error.code) throw error
    throw new UsageError(`The project folder ${home} cannot be written (${error.code}).`)
  }
}

function linkPackage(root, home) {
  const link = join(home, 'node_modules', '@cellsight', 'node-red-vision')
  if (existsSync(link) && realpathSync(link) === root) return
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { force: true, recursive: true })
  symlinkSync(root, link, 'junction')
}

function placeFlow(shipped, home, fresh) {
  const flow = join(home, 'flows.json')
  // The last copy: a different flow was edited.
  const mark = join(home, 'flows.shipped')
  const shippedHash = hashOf(shipped)
  const lastHash = existsSync(mark) ? readFileSync(mark, 'utf8') : ''
  const edited = existsSync(flow) && hashOf(flow) !== lastHash

  if (edited && !fresh)
    return lastHash === shippedHash
      ? undefined
      : 'The shipped flow has changed; yours is kept. npm start -- --fresh takes the new one.'

  if (edited) renameSync(flow, join(home, 'flows.before-fresh.json'))
  copyFileSync(shipped, flow)
  if (fresh) rmSync(join(home, 'flows_cred.json'), { force: true })
  writeFileSync(mark, shippedHash)
  return edited ? 'Your flow is kept as flows.before-fresh.json in the project folder.' : undefined
}

function setPorts(file, ports) {
  const flow = readFileSync(file, 'utf8')
  const changed = withPorts(flow, ports)
  if (changed !== flow) writeFileSync(file, changed)
}

function credentialSecret(home) {
  const file = join(home, 'credential-secret')
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** Other ports are not an edit. */
const hashOf = (file) =>
  createHash('sha256')
    .update(withPorts(readFileSync(file, 'utf8')))
    .digest('hex')
