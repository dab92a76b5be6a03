import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import 'should'
import ts from 'typescript'
import { root } from '../support/root'

const folders = ['lib', 'nodes', 'virtual-device', 'editor', 'bench', 'test']

describe('the files of the project', () => {
  it('do not import each other in circles; types may, as they are gone when the code runs', () => {
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

/** The files of the project that a file loads; lint reports imports without such a file. */
function importsOf(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.ES2022)
  return source.statements
    .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .filter((statement) => !onlyTypes(statement))
    .map(({ moduleSpecifier }) =>
      moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '',
    )
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)))
    .flatMap((path) => [`${path}.ts`, join(path, 'index.ts')])
}

function onlyTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const { importClause: clause } = statement
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const names = clause.namedBindings
  return (
    !clause.name &&
    !!names &&
    ts.isNamedImports(names) &&
    names.elements.every(({ isTypeOnly }) => isTypeOnly)
  )
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
