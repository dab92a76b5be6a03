import 'should'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { documents, references } from '../docs/documents'
import { root } from '../support/root'
import { npmPack } from './npm-pack'

interface Component {
  name: string
  version: string
}
interface Bill {
  bomFormat: string
  metadata: { component: Component }
  components: (Component & { licenses: object[] })[]
}
interface LockedPackage {
  version: string
  dev?: true
  engines?: { node?: string }
}
interface Semver {
  minVersion: (range: string) => { version: string }
  satisfies: (version: string, range: string) => boolean
}

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown

describe('the published package', () => {
  let archive: Buffer
  let unpackedSize: number
  let files: string[]

  before(() => {
    const packed = npmPack()
    ;({ unpackedSize } = packed)
    files = packed.files.map(({ path }) => path)
    archive = readFileSync(packed.archive)
  })

  it('is small', () => unpackedSize.should.be.below(12_000_000))

  it('needs at most six other packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: object
    }
    Object.keys(dependencies).length.should.be.belowOrEqual(6)
  })

  it('contains every page of the documentation and every picture that they show', () => {
    const pages = documents.map(({ path }) => path).filter((path) => /^(docs\/.*|README\.md)$/.test(path))
    const pictures = references.filter(({ from, isPicture }) => isPicture && pages.includes(from))
    pictures.length.should.be.above(20)
    const needed = new Set([...pages, 'docs/llms.txt', ...pictures.map(({ file }) => file)])
    ;[...needed].filter((file) => !files.includes(file)).should.deepEqual([])
  })

  it('needs nothing that warns about the oldest Node.js that it supports', () => {
    const { minVersion, satisfies } = createRequire(__filename)('semver') as Semver
    const { engines } = read('package.json') as { engines: { node: string } }
    const oldest = minVersion(engines.node).version
    const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> }
    Object.entries(packages)
      .filter(([, { engines: needed }]) => needed?.node && !satisfies(oldest, needed.node))
      .map(([path]) => path)
      .should.deepEqual([])
  })

  it('has a bill of materials with every package that it installs or includes', () => {
    files.should.containEql('dist/sbom.cdx.json')
    const bill = read('dist/sbom.cdx.json') as Bill
    const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> }
    const installed = Object.entries(packages)
      .filter(([path, { dev }]) => path && !dev)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    const { name, version } = read('package.json') as { name: string; version: string }
    bill.bomFormat.should.equal('CycloneDX')
    bill.metadata.component.should.containEql({ name, version })
    const listed = bill.components.map((each) => `${each.name}@${each.version}`)
    listed.some((each) => each.startsWith('swagger-ui-dist@')).should.be.true()
    listed
      .filter((each) => !each.startsWith('swagger-ui-dist@'))
      .toSorted()
      .should.deepEqual(installed.toSorted())
    for (const { licenses } of bill.components) licenses.should.not.be.empty()
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
