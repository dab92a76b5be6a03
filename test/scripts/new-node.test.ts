import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { root } from '../support/root'

const folder = join(root, 'docs', 'new-node')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(join(folder, file)).isFile(),
)
const lines = files.reduce(
  (sum, file) => sum + readFileSync(join(folder, file), 'utf8').split('\n').length - 1,
  0,
)

describe('the node that CONTRIBUTING shows', () => {
  it('has as many files and lines as it says, and not more than a node may have', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').replace(/\s+/g, ' ')
    text.should.containEql(`(docs/new-node): ${files.length} files, ${lines} lines`)
    files.length.should.be.belowOrEqual(8)
    lines.should.be.belowOrEqual(300)
  })

  describe('copied into the project', function () {
    this.timeout(300_000)
    let project = ''
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8' })
      should(status).equal(0, stdout + stderr)
      return stdout
    }

    before(() => {
      project = mkdtempSync(join(tmpdir(), 'cellsight-new-node-'))
      for (const entry of readdirSync(root))
        if (entry === 'node_modules') symlinkSync(join(root, entry), join(project, entry), 'junction')
        else if (!['.git', '.cellsight', 'docs', 'bench'].includes(entry))
          cpSync(join(root, entry), join(project, entry), { recursive: true, preserveTimestamps: true })
      cpSync(folder, project, { recursive: true })
      run('scripts/build.mjs', '--quick')
    })

    after(() => rmSync(project, { recursive: true, force: true }))

    it('is listed by the build, with its dialog and its help in both languages', () => {
      const { 'node-red': listed } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
        'node-red': { nodes: Record<string, string> }
      }
      Object.keys(listed.nodes).at(-1)?.should.equal('read-log')
      const built = (file: string) => readFileSync(join(project, 'dist/nodes/read-log', file), 'utf8')
      built('read-log.html').should.containEql("RED.nodes.registerType('vision-read-log'")
      built('locales/en-US/read-log.html').should.match(/<h3>Settings<.*msg\.vision|<dt>vision /s)
      built('locales/de/read-log.html').should.containEql('<h3>Einstellungen</h3>')
      built('locales/de/read-log.json').should.containEql('"device":"Gerät"')
    })

    it('does its work and passes its tests', () => {
      run('node_modules/mocha/bin/mocha.js', 'dist/test/nodes/read-log.test.js').should.match(/5 passing/)
    })
  })
})
