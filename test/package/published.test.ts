import 'should'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { root } from '../support/root'
import { npmPack } from './npm-pack'

describe('the published package', () => {
  let archive: Buffer
  let unpackedSize: number

  before(() => {
    const packed = npmPack()
    ;({ unpackedSize } = packed)
    archive = readFileSync(packed.archive)
  })

  it('is small', () => unpackedSize.should.be.below(9_500_000))

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
