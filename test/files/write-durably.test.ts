import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { makeFolder, syncFolder, removeUnfinished, writeDurably } from '../../lib/files/write-durably'
import { seededRandom } from '../../virtual-device/values'

describe('a file that is replaced as a whole', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cellsight-files-'))))
  afterEach(() => rmSync(folder, { recursive: true }))
  const names = (...parts: string[]) => readdirSync(join(folder, ...parts)).sort()
  const text = (...parts: string[]) => readFileSync(join(folder, ...parts), 'utf8')

  it('has the new content, text or bytes, and leaves nothing beside it', async () => {
    const file = join(folder, 'a.json')
    await writeDurably(file, 'old')
    await writeDurably(file, Buffer.from('new'))
    text('a.json').should.equal('new')
    names().should.eql(['a.json'])
  })

  it('creates missing folders, even if others create them at the same moment', async () => {
    const files = ['1', '2', '3', '4'].map((name) => join('a', 'b', 'c', name))
    await Promise.all(files.map((file) => writeDurably(join(folder, file), file)))
    for (const file of files) text(file).should.equal(file)
  })

  it('has the requested permissions', async () => {
    if (process.platform === 'win32') return
    await writeDurably(join(folder, 'a'), '', 0o600)
    should(statSync(join(folder, 'a')).mode & 0o777).equal(0o600)
  })

  it('stays unchanged if writing fails, and leaves nothing beside it', async () => {
    const file = join(folder, 'a.json')
    await writeDurably(file, 'old')
    await writeDurably(file, undefined as unknown as string).should.be.rejected()
    text('a.json').should.equal('old')
    names().should.eql(['a.json'])
  })

  it('leaves nothing if it cannot be put in place', async () => {
    mkdirSync(join(folder, 'taken', 'inside'), { recursive: true })
    await writeDurably(join(folder, 'taken'), 'new').should.be.rejectedWith({
      code: /EISDIR|ENOTEMPTY|EPERM/,
    })
    names().should.eql(['taken'])
  })

  it('never mixes the contents of several writers', async () => {
    const file = join(folder, 'a')
    const contents = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(300_000))
    await Promise.all(contents.map((content) => writeDurably(file, content)))
    contents.includes(text('a')).should.be.true()
    names().should.eql(['a'])
  })

  it("is complete whenever its writer is killed, and the writer's remains can be removed", async () => {
    const random = seededRandom(3)
    const file = join(folder, 'a')
    await writeDurably(file, JSON.stringify({ round: -1 }))
    for (let round = 0; round < 5; round++) {
      const child = fork(join(__dirname, 'writer-until-killed.js'), [file])
      const ended = once(child, 'exit')
      let rounds = 0
      const until = 1 + Math.floor(random() * 20)
      child.on('message', () => ++rounds === until && child.kill('SIGKILL'))
      await ended
      should((JSON.parse(text('a')) as { round: number }).round).be.aboveOrEqual(until - 1)
    }
    writeFileSync(join(folder, 'a.0123abcd.tmp'), 'half')
    writeFileSync(join(folder, 'b.0123abcd.tmp'), 'of another file')
    writeFileSync(join(folder, 'a.tmp'), 'not ours')
    await removeUnfinished(file)
    names().should.eql(['a', 'a.tmp', 'b.0123abcd.tmp'])
  })

  it('is written even if the file system cannot flush folders', async () => {
    // A folder of such a file system, and a missing one.
    if (process.platform === 'linux') await syncFolder('/proc')
    await syncFolder(join(folder, 'missing')).should.be.rejectedWith({ code: 'ENOENT' })
  })

  it('is refused, and not retried for ever, if the system does not allow folders to be created', async () => {
    if (process.platform !== 'linux') return
    await makeFolder('/proc/vision/a').should.be.rejectedWith({ code: 'ENOENT' })
  })
})
