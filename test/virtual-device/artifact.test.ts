import fc from 'fast-check'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { ArtifactCheck, BadArtifact, writeArtifact } from '../../virtual-device/firmware/artifact'

describe('a firmware artifact', () => {
  let folder = ''
  let whole = Buffer.alloc(0)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'artifact-'))
    await writeArtifact(join(folder, 'a'), { version: 'v2.0.0', size: 100_000 })
    whole = await readFile(join(folder, 'a'))
  })
  after(() => rm(folder, { recursive: true }))

  it('is recognised in chunks of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1 }), (lengths) => {
        checked(whole, lengths).should.containEql({ version: 'v2.0.0', size: 100_000 })
      }),
      { seed: 1, numRuns: 50 },
    )
  })

  it('is refused if it ends early at any point', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: whole.length - 1 }), (end) => {
        should.throws(() => checked(whole.subarray(0, end), [7000]), BadArtifact)
      }),
      { seed: 2, numRuns: 100 },
    )
  })

  it('is refused with any byte changed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        (at, change) => {
          const damaged = Buffer.from(whole)
          damaged[at] = (damaged[at] ?? 0) ^ change
          should.throws(() => checked(damaged, [40_000]), BadArtifact)
        },
      ),
      { seed: 3, numRuns: 300 },
    )
  })

  it('is refused with extra bytes at its end', () => {
    should.throws(
      () => checked(Buffer.concat([whole, Buffer.from('x')]), [5000]),
      /more than the 100000 bytes/,
    )
  })

  it('is distinguished from any other file by its first bytes', () => {
    should.throws(() => new ArtifactCheck().add(Buffer.from('PK')), /not a firmware artifact/)
  })
})

function checked(bytes: Buffer, lengths: readonly number[]) {
  const check = new ArtifactCheck()
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    check.add(bytes.subarray(at, at + length))
    at += length
  }
  return check.finish()
}
