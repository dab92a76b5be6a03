import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { documents } from '../../test/docs/documents'
import { nodeNames } from '../../test/support/dialog-source'
import { root } from '../../test/support/root'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Fails for references of the documents to missing things. */
function mustExist(pattern: RegExp, exists: (found: string, path: string) => boolean): void {
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .map(([, found = '']) => found)
      .filter((found) => !exists(found, path))
      .map((found) => `${path}: ${found}`),
  )
  assert.deepEqual(missing, [])
}

const readme = documents.find(({ path }) => path === 'README.md')?.text ?? ''

/** README and the pages in docs. */
export const rulesOfDocuments = {
  'links of documents lead to files': () =>
    mustExist(/\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)/g, (link, path) =>
      existsSync(join(root, dirname(path), link)),
    ),

  'documents name only examples that exist': () =>
    mustExist(/(?<!test\/)examples\/([\w-]+)/g, (name) => existsSync(join(root, 'examples', `${name}.json`))),

  'documents name only commands that exist': () => {
    mustExist(/npm run ([\w:]+)/g, (name) => name in scripts)
    const benches = readdirSync(join(root, 'bench')).map((file) => file.replace(/\.ts$/, ''))
    mustExist(/npm run bench -- ([\w-]+)/g, (name) => benches.includes(name))
  },

  'README is a landing page: fewer than 110 lines': () => assert.ok(readme.split('\n').length < 110),

  'README names existing nodes and examples for ten tasks': () => {
    const [, table = ''] = readme.split('| I want to … |')
    const rows = [...table.matchAll(/^\| .* \| (`.*`) \| (`.*`) \|$/gm)]
    const named = (column: number) =>
      rows.flatMap((row) => [...(row[column] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name))
    assert.equal(rows.length, 10)
    assert.deepEqual(
      named(1).filter((name) => !nodeNames.includes(name)),
      [],
    )
    assert.deepEqual(
      named(2).filter((name) => !existsSync(join(root, 'examples', `${name}.json`))),
      [],
    )
  },
}
