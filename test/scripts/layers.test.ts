import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ESLint } from 'eslint'
import should from 'should'
import { root } from '../support/root'

interface LayersModule {
  layers: Record<string, string[]>
}

interface FolderCirclesModule {
  neededBy: (imports: readonly (readonly [string, string])[]) => Map<string, Set<string>>
  folderZones: (root: string) => { target: string; from: string[] }[]
}

describe('the layers', () => {
  const eslint = new ESLint({
    cwd: root,
    // The planted file is not part of the program, and the type rules that it breaks do not matter here.
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { project: null } } },
    ruleFilter: ({ ruleId }) => ruleId.includes('restricted'),
  })

  /** Lint's messages about a file in `folder` that imports `target`. */
  function complaints(folder: string, target: string, statement = 'import type {} from') {
    const up = '../'.repeat(folder.split('/').length)
    return lint(folder, `${statement} '${up}${target}'\n`)
  }

  async function lint(folder: string, text: string) {
    const [result] = await eslint.lintText(text, { filePath: join(root, folder, 'planted.ts') })
    return result?.messages.map(({ message }) => message) ?? []
  }

  it('may import only what they are allowed to', async () => {
    const { layers } = (await import(pathToFileURL(join(root, 'scripts', 'layers.mjs')).href)) as LayersModule
    const places = Object.keys(layers).filter((layer) => someFileIn(layer))
    for (const layer of places) {
      for (const other of places) {
        const target = someFileIn(other)
        if (!target || within(other, layer) || within(layer, other)) continue
        const allowed = (layers[layer] ?? []).some((place) => within(target, place))
        const found = await complaints(layer, target)
        should(found.length > 0).equal(
          !allowed,
          `${layer} importing ${target}: ${found.join(' ') || 'no complaint'}`,
        )
      }
    }
  })

  it('restrict the contract to the schema library', async () => {
    ;(await lint('lib/contract', "import 'undici'\n")).should.not.be.empty()
    ;(await lint('lib/contract', "import '@sinclair/typebox'\n")).should.be.empty()
  })

  it('keep code of other layers out of the editor, except types and lib/contract/reading', async () => {
    const target = someFileIn('lib') ?? ''
    ;(await complaints('editor', target, 'import')).should.not.be.empty()
    ;(await complaints('editor', target)).should.be.empty()
    ;(await complaints('editor', 'lib/contract/operations/index', 'import')).should.not.be.empty()
    ;(await complaints('editor', 'lib/contract/reading/choices', 'import')).should.be.empty()
  })

  it('allow only the virtual-device node to import the virtual device', async () => {
    const target = someFileIn('virtual-device') ?? ''
    ;(await complaints('nodes/get-parameter', target)).should.not.be.empty()
    ;(await complaints('nodes/virtual-device', target)).should.be.empty()
  })

  it('have no sibling folders that need each other', async () => {
    ;(await complaints('nodes/shared', 'nodes/device/connection')).should.not.be.empty()
    ;(await complaints('nodes/device', 'nodes/device-config/fields')).should.not.be.empty()
    ;(await complaints('nodes/device-config', 'nodes/device/connection')).should.be.empty()
    ;(await complaints('virtual-device/storage', 'virtual-device/server/server')).should.not.be.empty()
    ;(await complaints('editor/sidebar/search', 'editor/sidebar/device/found')).should.not.be.empty()
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

  it('keep tests and benches from being imported', async () => {
    ;(await complaints('lib/client', 'test/contract.test')).should.not.be.empty()
  })
})

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Some TypeScript file of a layer, without its extension. */
function someFileIn(folder: string): string | undefined {
  const path = join(root, folder)
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  const file = readdirSync(path).find((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
  return file && `${folder}/${file.slice(0, -3)}`
}
