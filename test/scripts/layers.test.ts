import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { lintPlanted, type Planted } from '../support/planted'
import { root } from '../support/root'

interface LayersModule {
  layers: Record<string, string[]>
}

interface FolderCirclesModule {
  neededBy: (imports: readonly (readonly [string, string])[]) => Map<string, Set<string>>
  folderZones: (root: string) => { target: string; from: string[] }[]
}

describe('the layers', () => {
  it('may import only what they are allowed to', async () => {
    const { layers } = (await import(pathToFileURL(join(root, 'scripts', 'layers.mjs')).href)) as LayersModule
    const places = Object.keys(layers).filter((layer) => someFileIn(layer))
    const pairs = places.flatMap((layer) =>
      places
        .filter((other) => !within(other, layer) && !within(layer, other))
        .map((other) => ({ layer, target: someFileIn(other) ?? '' })),
    )
    const found = await lintPlanted(pairs.map(({ layer, target }) => importing(layer, target)))
    pairs.length.should.be.above(300)
    pairs.forEach(({ layer, target }, index) => {
      const allowed = (layers[layer] ?? []).some((place) => within(target, place))
      const messages = found[index] ?? []
      should(messages.length > 0).equal(
        !allowed,
        `${layer} importing ${target}: ${messages.join(' ') || 'no complaint'}`,
      )
    })
  }).timeout(60_000)

  it('keep what lint forbids besides', async () => {
    const target = someFileIn('lib') ?? ''
    const device = someFileIn('virtual-device') ?? ''
    const forbidden: Planted[] = [
      // The contract imports the schema library only.
      { folder: 'lib/contract', text: "import 'undici'\n" },
      { folder: 'lib/contract', text: "import 'node:fs'\n" },
      { folder: 'lib/contract', text: "import '@sinclair/other'\n" },
      // Code of other layers in the editor.
      importing('editor', target, 'import'),
      importing('editor/sidebar', target, 'import'),
      importing('editor', 'lib/contract/operations/index', 'import'),
      importing('editor', 'lib/contract', 'import'),
      importing('editor', 'lib/client', 'import'),
      importing('editor', 'nodes/shared/fields', 'import'),
      // The virtual device, in another node.
      importing('nodes/get-parameter', device),
      // Sibling folders that need each other.
      importing('nodes/shared', 'nodes/device/connection'),
      importing('nodes/device', 'nodes/device-config/fields'),
      importing('virtual-device/storage', 'virtual-device/server/server'),
      importing('editor/sidebar/search', 'editor/sidebar/device/found'),
      // Tests and benches.
      importing('lib/client', 'test/contract.test'),
    ]
    const allowed: Planted[] = [
      { folder: 'lib/contract', text: "import '@sinclair/typebox'\nimport '@sinclair/typebox/value'\n" },
      importing('lib/contract', 'lib/contract/operations', 'import'),
      importing('editor', target),
      importing('editor', 'lib/contract/reading/choices', 'import'),
      importing('nodes/virtual-device', device),
      importing('nodes/device-config', 'nodes/device/connection'),
    ]
    const found = await lintPlanted([...forbidden, ...allowed])
    forbidden.filter((_, index) => !found[index]?.length).should.deepEqual([])
    found.slice(forbidden.length).should.deepEqual(allowed.map(() => []))
  }).timeout(60_000)

  it('are searched for indirect needs too, but not for a folder and its own content', async () => {
    const { neededBy } = (await import(
      pathToFileURL(join(root, 'scripts', 'folder-circles.mjs')).href
    )) as FolderCirclesModule
    const users = neededBy([
      ['lib/a/x.ts', 'lib/b/deep/y.ts'],
      ['lib/b/z.ts', 'lib/c/z.ts'],
      ['lib/c/index.ts', 'lib/c/inner/z.ts'],
      ['lib/c/inner/z.ts', 'lib/c/z.ts'],
      ['lib/c/inner/z.ts', 'lib/root.ts'],
      ['nodes/a/x.ts', 'editor/a/x.ts'],
    ])
    Object.fromEntries([...users].map(([folder, by]) => [folder, [...by]])).should.deepEqual({
      'lib/b': ['lib/a'],
      'lib/c': ['lib/a', 'lib/b'],
    })
  })

  it('have no circle between their folders at present', async () => {
    const { folderZones } = (await import(
      pathToFileURL(join(root, 'scripts', 'folder-circles.mjs')).href
    )) as FolderCirclesModule
    const zones = folderZones(root)
    zones.length.should.be.above(20)
    zones.filter(({ target, from }) => from.includes(target)).should.deepEqual([])
  })
})

/** A file in `folder` that imports `target`. */
function importing(folder: string, target: string, statement = 'import type {} from'): Planted {
  return { folder, text: `${statement} '${'../'.repeat(folder.split('/').length)}${target}'\n` }
}

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Some TypeScript file of a layer, without its extension. */
function someFileIn(folder: string): string | undefined {
  const path = join(root, folder)
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  const file = readdirSync(path).find((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  return file && `${folder}/${file.slice(0, -3)}`
}
