import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { root } from '../support/root'

/** A project of two files, with the real compilers. */
describe('compiling', () => {
  let project: string
  const write = (file: string, text: string) => writeFileSync(join(project, file), text)
  const compiled = (name: string) => readFileSync(join(project, 'dist', 'lib', `${name}.js`), 'utf8')

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'cellsight-compile-'))
    for (const folder of ['scripts', 'lib', 'dist']) mkdirSync(join(project, folder))
    for (const script of ['compile.mjs', 'fingerprint.mjs'])
      cpSync(join(root, 'scripts', script), join(project, 'scripts', script))
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction')
    cpSync(join(root, 'tsconfig.node.json'), join(project, 'tsconfig.json'))
    write('lib/a.ts', 'export const a: number = 1\n')
    write('lib/b.ts', 'export const b: number = 1\n')
  })
  afterEach(() => rmSync(project, { recursive: true }))

  function compile(how: 'compileQuickly' | 'compileWithTypes') {
    const arg = how === 'compileQuickly' ? "'tsconfig.json'" : "['tsconfig.json']"
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { ${how} } from './scripts/compile.mjs'
        console.log(await ${how}(['lib/a.ts', 'lib/b.ts'], ${arg}))`,
      ],
      { cwd: project, encoding: 'utf8' },
    )
    should(status).equal(0, stderr)
    return stdout
  }

  it('gives the same with and without types', () => {
    compile('compileWithTypes').should.equal('true\n')
    const withTypes = compiled('a')
    rmSync(join(project, 'dist', 'lib', 'a.js'))
    compile('compileQuickly')
    compiled('a').should.equal(withTypes)
  })

  it('tells an error of types', () => {
    write('lib/a.ts', "export const a: number = 'text'\n")
    compile('compileWithTypes').should.match(/lib\/a\.ts.*TS2322[^]*false\n$/)
  })

  it('compiles a source that is again as it was before a quick build', () => {
    compile('compileWithTypes')
    write('dist/.cellsight-built', 'the sources of then')
    write('lib/a.ts', 'export const tried: number = 1\n')
    compile('compileQuickly')
    compiled('a').should.containEql('tried')
    existsSync(join(project, 'dist', '.cellsight-built')).should.equal(false)

    write('lib/a.ts', 'export const a: number = 1\n')
    compile('compileWithTypes')
    compiled('a').should.not.containEql('tried')
  })
})
