import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** To a JSON file between two starts. */
export const damages: Readonly<Record<string, (file: string) => void>> = {
  'is empty': (file) => truncateSync(file),
  'is cut': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  'is all zeros': (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length)),
  'has the shape of another version': (file) => writeFileSync(file, '{"version":99,"entries":{"all":[]}}\n'),
  'is valid JSON of another type': (file) => writeFileSync(file, '"text"\n'),
  'is no text': (file) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x80])),
  'is a folder': (file) => {
    rmSync(file)
    mkdirSync(file)
  },
}

/** As a user for whom permissions count. */
export async function unprivileged<Result>(act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.(65534)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

/** Of such a user. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-own-'))
  chmodSync(folder, 0o777)
  return folder
}

/** One megabyte; undefined if the system does not allow it. */
export function smallDisk():
  | { folder: string; fill: () => void; free: () => void; remove: () => void }
  | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      try {
        writeFileSync(filler, Buffer.alloc(2 ** 21), { flag: 'a' })
      } catch {
        // Full.
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}
