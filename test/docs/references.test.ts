import 'should'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeNames } from '../support/dialog-source'
import { root } from '../support/root'
import { documents } from './documents'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const benches = readdirSync(join(root, 'bench')).map((file) => file.replace(/\.ts$/, ''))

for (const { path, text } of documents)
  describe(`what ${path} refers to`, () => {
    const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

    it('exists: linked files', () => {
      const links = all(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g)
      links.filter((link) => !existsSync(join(root, dirname(path), link))).should.deepEqual([])
    })

    it('exists: examples', () => {
      const examples = all(/(?<!test\/)examples\/([\w-]+)/g)
      examples.filter((name) => !existsSync(join(root, 'examples', `${name}.json`))).should.deepEqual([])
    })

    it('exists: npm commands', () => {
      const commands = all(/npm run ([\w:]+)/g)
      commands.filter((name) => !(name in scripts)).should.deepEqual([])
      const measured = all(/npm run bench -- ([\w-]+)/g)
      measured.filter((name) => !benches.includes(name)).should.deepEqual([])
    })
  })

describe('README.md', () => {
  const readme = documents.find(({ path }) => path === 'README.md')?.text ?? ''

  it('is read in five minutes: fewer than 200 lines', () => readme.split('\n').length.should.be.below(200))

  it('has a row for every node', () => {
    nodeNames.filter((node) => !readme.includes(`\n| \`${node}\` |`)).should.deepEqual([])
  })

  it('leads to every guide', () => {
    const guides = documents.filter(({ path }) => path.startsWith('docs/'))
    guides
      .map(({ path }) => path)
      .filter((path) => !readme.includes(`(${path})`))
      .should.deepEqual([])
  })
})
