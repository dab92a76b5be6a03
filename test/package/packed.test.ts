import 'should'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { root } from '../support/root'
import { npmPack } from './npm-pack'

const name = '@cellsight/node-red-vision'
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  dependencies: Record<string, string>
  'node-red': { nodes: Record<string, string> }
}
const nodes = Object.keys(manifest['node-red'].nodes)

interface NodeSet {
  module: string
  name: string
  types: string[]
  enabled: boolean
  loaded?: boolean
  err?: string
  version?: string
}

describe('the package as packed', () => {
  let folder: string
  let files: string[]
  let red: NodeRed

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-unpacked-'))
    files = unpack(folder)
    linkDependencies(folder)
    red = await startNodeRed({ packageFolder: join(folder, 'package') })
  })
  after(async () => {
    await red.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('contains nothing that does not belong in it', () => {
    const belongs =
      /^(dist\/(lib|nodes|virtual-device)\/.+\.(js|d\.ts|json|html|svg|css|txt|proto)|dist\/.+\/(LICENSE|NOTICE)|resources\/.+|docs\/.+\.md|docs\/calibration-grid\.svg|docs\/llms\.txt|docs\/images\/[\w-]+\.(png|svg)|docs\/robots\/.+\.(script|xml|src|mod|kl)|docs\/monitoring\/.+\.(json|yml)|examples\/.+\.json|package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|dist\/sbom\.cdx\.json|LICENSE)$/
    files.filter((file) => !belongs.test(file)).should.deepEqual([])
    files.filter((file) => /\b(test|bench)\//.test(file)).should.deepEqual([])
  })

  it('adds its node types to an ordinary Node-RED without an error', async () => {
    const sets = ((await red.get('/nodes')) as NodeSet[]).filter(({ module }) => module === name)
    sets.map((set) => set.name).should.deepEqual(nodes)
    for (const { name: node, types, enabled, err, version } of sets) {
      types.should.deepEqual([`vision-${node}`])
      enabled.should.be.true()
      ;(err ?? '').should.equal('')
      version?.should.equal(manifest.version)
    }
    red.output().should.not.match(/\[(error|warn)\] .*(vision|cellsight)/)
  })

  it('serves a dialog and help for each of them', async () => {
    const html = await text('/nodes', { accept: 'text/html', 'accept-language': 'en-US' })
    for (const node of nodes) {
      html.should.containEql(`data-template-name="vision-${node}"`)
      html.should.containEql(`data-help-name="vision-${node}"`)
    }
  })

  it('serves the script without which the editor would never finish loading', async () => {
    const html = await text('/nodes', { accept: 'text/html' })
    const scripts = new Set(
      [...html.matchAll(/<script src="(resources\/@cellsight[^"]+)"/g)].map(([, src]) => src),
    )
    scripts.size.should.equal(1)
    for (const script of scripts) (await text(`/${script ?? ''}`)).should.containEql('visionDialogs')
  })

  it('serves its icons', async () => {
    const icons = readdirSync(join(root, 'icons'))
    ;((await red.get('/icons')) as Record<string, string[]>)[name]?.sort().should.deepEqual(icons.sort())
    for (const icon of icons)
      (await text(`/icons/${name}/${icon}`)).should.equal(readFileSync(join(root, 'icons', icon), 'utf8'))
  })

  it('serves its texts', async () => {
    const all = (await red.get('/nodes/messages?lng=en-US')) as Record<string, object>
    for (const node of nodes) {
      all[`${name}/${node}`]?.should.have.property(node)
      ;((await red.get(`/locales/${name}/${node}?lng=en-US`)) as object).should.have.property(node)
    }
  })

  it('offers its examples for import', async () => {
    const examples = readdirSync(join(root, 'examples'))
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
    examples.should.not.be.empty()
    const offered = (await red.get(`/library/examples/flows/${name}`)) as { fn: string }[]
    offered.map(({ fn }) => fn).should.deepEqual(examples)
    for (const example of examples)
      ((await red.get(`/library/examples/flows/${name}/${example}`)) as object[]).should.not.be.empty()
  })

  it('contains the messages of the data streams, for third-party receivers', () => {
    const messages = 'lib/codec/streams/streams.proto'
    files.should.containEql(`dist/${messages}`)
    const shipped = readFileSync(join(folder, 'package', 'dist', messages), 'utf8')
    shipped.should.equal(readFileSync(join(root, messages), 'utf8'))
  })

  it('provides programs with the client and the virtual device', () => {
    const load = createRequire(join(folder, 'program.js'))
    ;(load(`${name}/client`) as object).should.have.property('createClient').a.Function()
    ;(load(`${name}/virtual-device`) as object).should.have.property('startVirtualDevice').a.Function()
  })

  async function text(path: string, headers: Record<string, string> = {}) {
    const answer = await fetch(red.url + path, { headers })
    answer.status.should.equal(200, path)
    return answer.text()
  }
})

/** Unpacks the packed project into `<folder>/package`. @returns the files in it */
function unpack(folder: string) {
  const { archive, files } = npmPack()
  execFileSync('tar', ['xzf', archive], { cwd: folder })
  return files.map(({ path }) => path)
}

/** Beside the unpacked package are only the dependencies that it names. */
function linkDependencies(folder: string) {
  const link = (dependency: string, target: string) => {
    const place = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(target, place, 'junction')
  }
  for (const dependency of Object.keys(manifest.dependencies))
    link(dependency, join(root, 'node_modules', dependency))
  link(name, join(folder, 'package'))
}
