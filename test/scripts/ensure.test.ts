import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import should from 'should'
import { root } from '../support/root'

const windows = process.platform === 'win32'

/** A project with the real script, a build that writes a line, and an npm that writes its arguments. */
describe('ensure', () => {
  let project: string

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'cellsight-ensure-'))
    for (const folder of ['scripts', 'bin', 'node_modules', 'lib', 'dist']) mkdirSync(join(project, folder))
    for (const script of ['ensure.mjs', 'fingerprint.mjs'])
      cpSync(join(root, 'scripts', script), join(project, 'scripts', script))
    writeFileSync(join(project, 'package-lock.json'), '{}')
    writeFileSync(join(project, 'lib', 'a.ts'), 'export {}')
    writeFileSync(
      join(project, 'scripts', 'build.mjs'),
      "import { appendFileSync } from 'node:fs'\nappendFileSync('built', 'x')\n",
    )
    writeFileSync(join(project, 'bin', 'npm'), '#!/bin/sh\necho "$NODE_ENV $@" >> installed\n')
    chmodSync(join(project, 'bin', 'npm'), 0o755)
  })

  afterEach(() => {
    rmSync(project, { recursive: true })
  })

  const ensure = (env: Record<string, string> = {}) =>
    execFileSync(process.execPath, ['scripts/ensure.mjs'], {
      cwd: project,
      encoding: 'utf8',
      env: { ...process.env, ...env, PATH: join(project, 'bin') + delimiter + String(process.env.PATH) },
    })
  const read = (file: string) => readFileSync(join(project, file), 'utf8')
  const touchedAt = (file: string) => statSync(join(project, file), { bigint: true }).mtimeNs
  const stamps = ['node_modules/.cellsight-installed', 'dist/.cellsight-built']

  before(function () {
    // The replacement for npm is a shell script.
    if (windows) this.skip()
  })

  it('installs and builds on a fresh clone', () => {
    ensure()
    read('installed').trim().should.endWith('ci --include=dev --no-audit --no-fund --loglevel=error')
    read('built').should.equal('x')
  })

  it('does nothing and prints nothing if everything is up to date', () => {
    ensure()
    const before = stamps.map(touchedAt)
    should(ensure()).equal('')
    stamps.map(touchedAt).should.deepEqual(before)
    read('built').should.equal('x')
  })

  it('builds again if a source has changed, without installing', () => {
    ensure()
    writeFileSync(join(project, 'lib', 'a.ts'), 'export const changed = true')
    ensure()
    read('built').should.equal('xx')
    read('installed').trim().split('\n').should.have.length(1)
  })

  it('does not build again if a bench has stored its results', () => {
    mkdirSync(join(project, 'bench'))
    writeFileSync(join(project, 'bench', 'RESULTS.md'), '# Results')
    ensure()
    writeFileSync(join(project, 'bench', 'RESULTS.md'), '# Other results')
    ensure()
    read('built').should.equal('x')
  })

  it('installs again if the lock file has changed', () => {
    ensure()
    writeFileSync(join(project, 'package-lock.json'), '{ "changed": true }')
    ensure()
    read('installed').trim().split('\n').should.have.length(2)
  })

  it('installs what building needs even with NODE_ENV=production', () => {
    ensure({ NODE_ENV: 'production' })
    read('installed').should.match(/^production .*--include=dev/)
  })
})
