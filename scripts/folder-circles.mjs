import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'

/** Circles between these are found by the layers. */
const roots = ['lib', 'nodes', 'virtual-device', 'editor']

/** Lint zones: no folder imports a sibling that needs it, directly or indirectly; by the actual imports. */
export const folderZones = (root) =>
  [...neededBy(importsBelow(root))].map(([folder, users]) => ({
    target: join(root, folder),
    from: [...users].map((user) => join(root, user)),
    message: `${folder} is needed by that folder already: move what both need into one below them.`,
  }))

/**
 * Siblings that need a folder, directly or indirectly.
 * @param imports pairs of file and imported file
 */
export function neededBy(imports) {
  const needs = new Map()
  for (const pair of imports) {
    const [one, other] = sidesOf(pair)
    if (one && other) needs.set(one, (needs.get(one) ?? new Set()).add(other))
  }
  const users = new Map()
  for (const user of needs.keys())
    for (const needed of reachedFrom(user, needs))
      users.set(needed, (users.get(needed) ?? new Set()).add(user))
  return users
}

/** Sibling folders of a pair; undefined if one contains the other. */
function sidesOf(pair) {
  const [one, other] = pair.map((file) => file.split('/').slice(0, -1))
  const fork = one.findIndex((name, index) => name !== other[index])
  return fork > 0 && fork < other.length
    ? [one, other].map((names) => names.slice(0, fork + 1).join('/'))
    : []
}

function reachedFrom(folder, needs) {
  const reached = new Set()
  const follow = (from) => {
    for (const next of needs.get(from) ?? []) {
      if (reached.has(next)) continue
      reached.add(next)
      follow(next)
    }
  }
  follow(folder)
  return reached
}

/** Pairs, types included. */
function importsBelow(root) {
  const files = roots.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  )
  const known = new Set(files)
  return files.flatMap((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'))
    return importedFiles
      .filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => relative(root, join(root, dirname(file), fileName)))
      .map((path) => (known.has(join(path, 'index.ts')) ? join(path, 'index.ts') : path))
      .map((imported) => [file, imported].map((path) => path.split(sep).join('/')))
  })
}
