import 'should'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { root } from '../support/root'

describe('the published package', () => {
  let folder: string
  let archive: Buffer
  let packed: { filename: string; unpackedSize: number }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-published-'))
    const args = ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', folder]
    const told = execFileSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    })
    const [only] = JSON.parse(told) as (typeof packed)[]
    if (!only) throw new Error('npm packed nothing')
    packed = only
    archive = readFileSync(join(folder, only.filename.replace(/^@/, '').replace('/', '-')))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is small', () => packed.unpackedSize.should.be.below(9_000_000))

  it('needs at most six other packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: object
    }
    Object.keys(dependencies).length.should.be.belowOrEqual(6)
  })

  it('has valid exports', async () => {
    const tarball = archive.buffer.slice(
      archive.byteOffset,
      archive.byteOffset + archive.length,
    ) as ArrayBuffer
    const { messages } = await publint({ pack: { tarball }, strict: true })
    messages.should.deepEqual([])
  })

  it('has types for every kind of module resolution', async () => {
    const result = await checkPackage(createPackageFromTarballData(archive))
    const problems = 'problems' in result ? result.problems : []
    problems.should.deepEqual([])
  })
})
