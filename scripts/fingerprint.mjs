import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const skipped = new Set(['node_modules', 'dist', 'resources', '.git', '.cellsight'])

/** Sorted. */
export function filesBelow(...places) {
  return places.flatMap((place) => {
    const found = statSync(place, { throwIfNoEntry: false })
    if (!found) return []
    if (found.isFile()) return [place]
    return readdirSync(place)
      .filter((name) => !skipped.has(name))
      .sort()
      .flatMap((name) => filesBelow(join(place, name)))
  })
}

/** Of names and contents. */
export function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
