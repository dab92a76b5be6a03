import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeAPI } from 'node-red'
import should from 'should'
import { artifactOf } from '../../lib/firmware/artifact'
import { holdsFolders, openBelow, PathComponentReplaced, writeBelow } from '../../lib/files/below-folder'
import { allowedPlace } from '../../nodes/shared/allowed-place'

/** A folder for files, and one that must not be reachable from it. */
function useFolders() {
  const at = { root: '', inside: '', outside: '' }
  beforeEach(() => {
    at.root = realpathSync(mkdtempSync(join(tmpdir(), 'cellsight-below-')))
    at.inside = join(at.root, 'inside')
    at.outside = join(at.root, 'outside')
    mkdirSync(at.inside)
    mkdirSync(at.outside)
    writeFileSync(join(at.outside, 'cell.json'), 'the secret')
  })
  afterEach(() => rmSync(at.root, { recursive: true }))
  return at
}
const openFiles = () => (holdsFolders ? readdirSync('/proc/self/fd').length : 0)

describe('a file below a folder', () => {
  const at = useFolders()

  it('is written and read, and folders are created', async () => {
    const before = openFiles()
    const file = join(at.inside, 'a', 'b', 'cell.json')
    await writeBelow(at.inside, file, 'whole')
    await writeBelow(at.inside, join(at.inside, 'top.json'), 'top')
    const handle = await openBelow(at.inside, file)
    ;(await handle.readFile('utf8')).should.equal('whole')
    await handle.close()
    readFileSync(join(at.inside, 'top.json'), 'utf8').should.equal('top')
    await openBelow(at.inside, join(at.inside, 'none', 'cell.json')).should.be.rejectedWith({
      code: 'ENOENT',
    })
    openFiles().should.equal(before)
  })

  const replaced = {
    'its folder': 'sub',
    'a folder above its own': 'sub/deeper',
  }
  for (const [what, folder] of Object.entries(replaced))
    it(`is neither written nor read if ${what} has become a link`, async function () {
      if (!holdsFolders) return
      const before = openFiles()
      mkdirSync(join(at.outside, 'deeper'))
      writeFileSync(join(at.outside, 'deeper', 'cell.json'), 'secret')
      symlinkSync(at.outside, join(at.inside, 'sub'))
      const file = join(at.inside, folder, 'cell.json')
      await writeBelow(at.inside, file, 'x').should.be.rejectedWith(PathComponentReplaced)
      await writeBelow(at.inside, join(at.inside, folder, 'new', 'a'), 'x').should.be.rejectedWith(
        PathComponentReplaced,
      )
      await openBelow(at.inside, file).should.be.rejectedWith(PathComponentReplaced)
      readdirSync(at.outside).sort().should.eql(['cell.json', 'deeper'])
      readdirSync(join(at.outside, 'deeper')).should.eql(['cell.json'])
      openFiles().should.equal(before)
    })

  it('is not read if it has become a link, and replaces a link when written', async () => {
    const file = join(at.inside, 'cell.json')
    symlinkSync(join(at.outside, 'cell.json'), file)
    await openBelow(at.inside, file).should.be.rejectedWith(PathComponentReplaced)
    await writeBelow(at.inside, file, 'mine')
    readFileSync(join(at.outside, 'cell.json'), 'utf8').should.equal('the secret')
    readFileSync(file, 'utf8').should.equal('mine')
  })
})

describe('files of a node while another program replaces their folder by a link thousands of times', () => {
  let swapper: ChildProcess
  let swaps = 0
  // Before the folders are removed.
  afterEach(async () => {
    const ended = once(swapper, 'exit')
    swapper.kill()
    await ended
  })
  const at = useFolders()

  beforeEach(async function () {
    // If the system cannot keep folders open, the documentation says so.
    if (!holdsFolders) this.skip()
    swaps = 0
    mkdirSync(join(at.inside, 'sub'))
    writeFileSync(join(at.inside, 'sub', 'cell.json'), 'inside')
    swapper = fork(join(__dirname, 'swapper.js'), [join(at.inside, 'sub'), at.outside])
    swapper.on('message', (count: number) => (swaps += count))
    await once(swapper, 'message')
  })

  const place = () => {
    const RED = { settings: { userDir: at.root } } as unknown as NodeAPI
    return allowedPlace(RED, undefined as never, 'inside')
  }
  /** Until there were enough swaps, and enough operations of both kinds. */
  async function often(deed: (count: number) => Promise<void>) {
    let [done, refused] = [0, 0]
    while (swapper.exitCode === null && (swaps < 2000 || done < 50 || refused < 50))
      await deed(done + refused).then(
        () => done++,
        () => refused++,
      )
    should(swapper.exitCode).be.null()
  }

  it('are never written outside', async () => {
    await often(async (count) => (await place()(`inside/sub/${count}.json`, false)).write('x'))
    readdirSync(at.outside).should.eql(['cell.json'])
  }).timeout(60_000)

  it('are never read from outside', async () => {
    const seen = new Set<string>()
    await often(async () => {
      const handle = await (await place()('inside/sub/cell.json', false)).open()
      seen.add(await handle.readFile('utf8'))
      await handle.close()
    })
    ;[...seen].should.eql(['inside'])
  }).timeout(60_000)

  it('are never read from outside as firmware either', async () => {
    const sizes = new Set<number>()
    await often(async () => {
      const allowedFolders = [at.inside]
      const { source, size } = await artifactOf(join(at.inside, 'sub', 'cell.json'), { allowedFolders })
      sizes.add(size)
      if (source instanceof Uint8Array) return
      const handle = await source.open()
      sizes.add((await handle.stat()).size)
      await handle.close()
    })
    should([...sizes]).eql(['inside'.length])
  }).timeout(60_000)
})
