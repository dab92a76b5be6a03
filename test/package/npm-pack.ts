import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../support/root'

/** The built project as npm packs it. */
interface Packed {
  /** Path of the `.tgz`. */
  archive: string
  /** Bytes. */
  unpackedSize: number
  files: { path: string }[]
}

let folder: string | undefined
let packed: Packed | undefined
after(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

/** Packs the built project, once for all tests. */
export function npmPack(): Packed {
  if (packed) return packed
  folder = mkdtempSync(join(tmpdir(), 'cellsight-packed-'))
  const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder]
  const told = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  const [only] = JSON.parse(told) as (Omit<Packed, 'archive'> & { filename: string })[]
  if (!only) throw new Error('npm packed nothing')
  const archive = join(folder, only.filename.replace(/^@/, '').replace('/', '-'))
  packed = { archive, unpackedSize: only.unpackedSize, files: only.files }
  return packed
}
