import { spawnSync } from 'node:child_process'
import fs, { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** One megabyte. */
interface SmallDisk {
  folder: string
  fill: () => void
  free: () => void
  remove: () => void
}

/** Mounted; otherwise writes fail halfway while it is "full". */
export function smallDisk(folder: string): SmallDisk {
  mkdirSync(folder, { recursive: true })
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  if (status !== 0) return pretendedDisk(folder)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill: () => {
      for (const bytes of [65_536, 4096, 512])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' })
        } catch {
          // Full.
        }
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      spawnSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function pretendedDisk(folder: string): SmallDisk {
  const { writeSync } = fs
  const free = () => {
    fs.writeSync = writeSync
  }
  return {
    folder,
    fill: () => {
      fs.writeSync = (descriptor: number, data: NodeJS.ArrayBufferView | string) => {
        if (typeof data !== 'string') writeSync(descriptor, data, 0, data.byteLength >> 1)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
      }
    },
    free,
    remove: () => {
      free()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
