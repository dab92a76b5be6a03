import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { lintPlanted, type Planted } from '../support/planted'
import { root } from '../support/root'

interface LayersModule {
  layers: Record<string, string[]>
  allowedIn: (layer: string) => string[]
}

interface FolderCirclesModule {
  neededBy: (imports: readonly (readonly [string, string])[]) => Map<string, Set<string>>
  folderZones: (root: string) => { target: string; from: string[] }[]
}

/** What lint forbids and allows besides the table of layers. */
const besides: { what: string; forbidden: Planted[]; allowed: Planted[] }[] = [
  {
    what: 'restrict the contract to the schema library, which is loaded from one file',
    forbidden: [
      ...["import 'undici'", "import 'node:fs'", "import '@sinclair/typebox'"].map((text) => ({
        folder: 'lib/contract',
        text,
      })),
      { folder: 'virtual-device', text: "import '@sinclair/typebox/value'" },
    ],
    allowed: [
      importing('lib/contract', 'lib/typebox/index', 'import'),
      importing('lib/contract', 'lib/contract/operations', 'import'),
    ],
  },
  {
    what: 'keep code of other layers out of the editor, except types and lib/contract/reading',
    forbidden: [
      importing('editor', someFileIn('lib') ?? '', 'import'),
      importing('editor/sidebar', someFileIn('lib') ?? '', 'import'),
      importing('editor', 'lib/contract/operations/index', 'import'),
      importing('editor', 'lib/contract', 'import'),
      importing('editor', 'lib/client', 'import'),
      importing('editor', 'nodes/shared/fields', 'import'),
    ],
    allowed: [
      importing('editor', someFileIn('lib') ?? ''),
      importing('editor', 'lib/contract/reading/values', 'import'),
    ],
  },
  {
    what: 'allow only the virtual-device node to import the virtual device',
    forbidden: [importing('nodes/get-parameter', someFileIn('virtual-device') ?? '')],
    allowed: [importing('nodes/virtual-device', someFileIn('virtual-device') ?? '')],
  },
  {
    what: 'keep sibling folders from needing each other',
    forbidden: [
      importing('nodes/shared', 'nodes/device/connection'),
      importing('nodes/device', 'nodes/device-config/fields'),
      importing('virtual-device/device', 'virtual-device/server/server'),
      importing('editor/plc', 'editor/sidebar/index'),
    ],
    allowed: [importing('nodes/device-config', 'nodes/device/connection')],
  },
  {
    what: 'keep tests and benches from being imported',
    forbidden: [importing('lib/client', 'test/contract.test'), importing('nodes/shared', 'bench/row')],
    allowed: [],
  },
]

describe('the layers', () => {
  it('may import only what they are allowed to', async () => {
    const { layers, allowedIn } = (await import(
      pathToFileURL(join(root, 'scripts', 'layers.mjs')).href
    )) as LayersModule
    const places = Object.keys(layers).filter((layer) => someFileIn(layer))
    const pairs = places.flatMap((layer) =>
      places
        .filter((other) => !within(other, layer) && !within(layer, other))
        .map((other) => ({ layer, target: someFileIn(other) ?? '' })),
    )
    const found = await lintPlanted(pairs.map(({ layer, target }) => importing(layer, target)))
    pairs.length.should.be.above(300)
    pairs.forEach(({ layer, target }, index) => {
      const allowed = allowedIn(layer).some((place) => within(target, place))
      const messages = found[index] ?? []
      should(messages.length > 0).equal(
        !allowed,
        `${layer} importing ${target}: ${messages.join(' ') || 'no complaint'}`,
      )
    })
  }).timeout(60_000)

  describe('and lint', () => {
    const found = new Map<Planted, string[]>()
    before(async function () {
      this.timeout(60_000)
      const planted = besides.flatMap(({ forbidden, allowed }) => [...forbidden, ...allowed])
      const messages = await lintPlanted(planted)
      planted.forEach((file, index) => found.set(file, messages[index] ?? []))
    })

    for (const { what, forbidden, allowed } of besides)
      it(what, () => {
        forbidden.filter((file) => !found.get(file)?.length).should.deepEqual([])
        allowed.filter((file) => found.get(file)?.length !== 0).should.deepEqual([])
      })
  })

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

  it('write files only in lib/kernel and lib/files, so that a full disk or a kill is considered once', () => {
    const writes =
      /\b(writeFile|appendFile|rename|truncate|ftruncate|copyFile|cp|writev?|createWriteStream|openSync)(Sync)?\b/
    const imports = /import \{([^}]*)\} from 'node:fs(?:\/promises)?'/g
    // Any flag but 'r' itself: a variable may hold another one.
    const opens = /\bopen\([^(),]*(?:\([^()]*\)[^(),]*)*, (?!'r'[,)])|\bopen\([^,()]*\)\.write/
    const opensIn = (names: string, text: string) => /\bopen\b/.test(names) && opens.test(text)
    const isWriter = (text: string) =>
      [...text.matchAll(imports)].some(([, names = '']) => writes.test(names) || opensIn(names, text))
    isWriter("import { open } from 'node:fs/promises'\nawait open(join(a, b), 'w')").should.be.true()
    isWriter("import { open } from 'node:fs/promises'\nawait open(file, 'a+', 0o600)").should.be.true()
    isWriter("import { open } from 'node:fs/promises'\nawait open(join(a, b), flags, 0o600)").should.be.true()
    isWriter("import { open } from 'node:fs/promises'\nawait open(file, isNew ? 'w' : 'r')").should.be.true()
    for (const call of ["open(file, 'r')", "open(join(a, b), 'r', 0o600)", 'open(join(a, b))'])
      isWriter(`import { open } from 'node:fs/promises'\nawait ${call}`).should.be.false()
    const found = ['lib', 'nodes', 'virtual-device'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((file) => `${folder}/${file}`)
        .filter((file) => file.endsWith('.ts') && !/^lib\/(kernel|files)\//.test(file))
        .filter((file) => isWriter(readFileSync(join(root, file), 'utf8'))),
    )
    found.sort().should.deepEqual([])
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
