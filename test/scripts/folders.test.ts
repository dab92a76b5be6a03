import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { root } from '../support/root'

const layers = ['lib', 'nodes', 'virtual-device', 'editor']

const foldersIn = (layer: string): string[] =>
  readdirSync(join(root, layer), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'locales')
    .map(({ name }) => join(layer, name))

/** Whether a folder begins with what it is: a README, or a comment at the top of its main file. */
function isDescribed(folder: string): boolean {
  const place = join(root, folder)
  if (existsSync(join(place, 'README.md'))) return true
  return ['index.ts', `${folder.split('/').at(-1) ?? ''}.ts`]
    .map((name) => join(place, name))
    .some((file) => existsSync(file) && readFileSync(file, 'utf8').startsWith('/**'))
}

describe('the folders of the project', () => {
  it('begin with what they are', () => {
    const folders = [...layers, ...layers.flatMap(foldersIn)]
    folders.length.should.be.above(80)
    folders.filter((folder) => !isDescribed(folder)).should.deepEqual([])
  })
})
