import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import 'should'
import { preProcessFile } from 'typescript'
import { root } from '../support/root'

const folders = ['lib', 'nodes', 'virtual-device', 'editor', 'bench', 'test']

describe('the files of the project', () => {
  it('do not import each other in circles, types included', () => {
    const imports = new Map(folders.flatMap(sources).map((file) => [file, importsOf(file)]))
    imports.size.should.be.above(500)
    circlesIn(imports).should.deepEqual([])
  })

  it('are found if they do', () => {
    const imports = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ])
    circlesIn(imports).should.deepEqual(['a → b → c → a'])
  })
})

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))

/** The files of the project that a file imports; lint reports imports without such a file. */
function importsOf(file: string): string[] {
  const { importedFiles } = preProcessFile(readFileSync(join(root, file), 'utf8'))
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => relative(root, join(root, dirname(file), fileName)))
    .flatMap((path) => [`${path}.ts`, join(path, 'index.ts')])
}

/** The files of each circle, in order. */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = []
  const left = new Set<string>()
  const follow = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file)
    if (at >= 0) circles.push([...way.slice(at), file].join(' → '))
    if (at >= 0 || left.has(file)) return
    for (const next of imports.get(file) ?? []) follow(next, [...way, file])
    left.add(file)
  }
  for (const file of imports.keys()) follow(file, [])
  return circles
}
