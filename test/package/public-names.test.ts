import { join } from 'node:path'
import 'should'
import ts from 'typescript'

const built = join(__dirname, '..', '..')

/** What people may import, and the parts whose names they use as `robotics.assess`. */
const entries = {
  client: join(built, 'lib', 'index.d.ts'),
  'virtual-device': join(built, 'virtual-device', 'index.d.ts'),
}
const parts = ['calibration', 'images', 'overlay', 'plots', 'robotics', 'streams', 'system']

describe('the names that the package exports', () => {
  let checker: ts.TypeChecker
  let program: ts.Program

  before(() => {
    program = ts.createProgram(Object.values(entries), { module: ts.ModuleKind.Node20, skipLibCheck: true })
    checker = program.getTypeChecker()
  })

  for (const [entry, file] of Object.entries(entries))
    it(`have a docstring each: ${entry}`, () => {
      const names = exportsOf(program.getSourceFile(file))
      const inParts = names
        .filter(({ name }) => parts.includes(name))
        .flatMap(({ symbol }) => exportsOf(symbol))
      const all = [...names.filter(({ symbol }) => !(symbol.flags & ts.SymbolFlags.ValueModule)), ...inParts]
      all.length.should.be.above(10)
      all
        .filter(
          ({ symbol }) => !symbol.getDocumentationComment(checker).length && !symbol.getJsDocTags().length,
        )
        .map(({ name }) => name)
        .should.deepEqual([])
    })

  function exportsOf(within: ts.SourceFile | ts.Symbol | undefined): { name: string; symbol: ts.Symbol }[] {
    const module = within && 'fileName' in within ? checker.getSymbolAtLocation(within) : within
    if (!module) throw new Error('not built')
    return checker.getExportsOfModule(module).map((exported) => ({
      name: exported.name,
      symbol: exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported,
    }))
  }
})
