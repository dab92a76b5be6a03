import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import 'should'
import { readPng } from '../images/support/read-png'
import { root } from '../support/root'
import { documents, references } from './documents'

const index = 'docs/README.md'
const pages = documents.filter(({ path }) => path.startsWith('docs/') && path !== index)
const block = ['Audience', '---', 'Outcome', 'Prerequisites', 'Duration']

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const prose = text.replace(/^```[^]*?^```$/gm, '')
  return new Set(
    [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
      const slug = heading
        .trim()
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count ? `${slug}-${count}` : slug
    }),
  )
}

describe('the documentation as a book', () => {
  it('has every page in its index, once', () => {
    const listed = references
      .filter(({ from, file }) => from === index && /^docs\/[\w-]+\.md$/.test(file))
      .map(({ file }) => file)
    const text = documents.find(({ path }) => path === index)?.text ?? ''
    const lines = [...text.matchAll(/^- \[[^\]]+\]\(([\w-]+\.md)\): /gm)].map(([, file]) => `docs/${file}`)
    lines.toSorted().should.deepEqual(pages.map(({ path }) => path).toSorted())
    listed.filter((file) => !lines.includes(file)).should.deepEqual([])
  })

  it('opens each page with audience, outcome, prerequisites and duration', () => {
    pages
      .filter(({ text }) => {
        const [title = '', blank, ...lines] = text.split('\n')
        const names = lines.slice(0, 5).map((line) => /^\| (\w+|---) \| \S.* \|$/.exec(line)?.[1])
        return !/^# \S/.test(title) || blank !== '' || names.join() !== block.join()
      })
      .map(({ path }) => path)
      .should.deepEqual([])
  })

  it('has no link to a file that does not exist', () => {
    references
      .filter(({ file }) => !existsSync(join(root, file)))
      .map(({ from, file }) => `${from}: ${file}`)
      .should.deepEqual([])
  })

  it('has no link to a heading that does not exist', () => {
    const anchors = new Map<string, Set<string>>()
    const anchorsIn = (file: string) => {
      const known = anchors.get(file) ?? anchorsOf(readFileSync(join(root, file), 'utf8'))
      anchors.set(file, known)
      return known
    }
    references
      .filter(({ file, anchor }) => anchor && file.endsWith('.md') && existsSync(join(root, file)))
      .filter(({ file, anchor = '' }) => !anchorsIn(file).has(anchor))
      .map(({ from, file, anchor }) => `${from}: ${file}#${anchor}`)
      .should.deepEqual([])
  })

  it('begins with an animation of less than 2 MB, which programs without animations show as a picture', () => {
    const [first] = references.filter(({ from, isPicture }) => from === 'README.md' && isPicture)
    const file = readFileSync(join(root, first?.file ?? ''))
    file.length.should.be.below(2_000_000)
    const frames = file.indexOf('acTL')
    file.readUInt32BE(frames + 4).should.be.above(5)
    const { width, height } = readPng(file)
    width.should.be.above(800)
    height.should.be.above(500)
  })

  it('has no picture that nobody sees', () => {
    const seen = new Set(references.map(({ file }) => file))
    readdirSync(join(root, 'docs', 'images'))
      .map((file) => `docs/images/${file}`)
      .filter((file) => /\.(png|svg|gif)$/.test(file) && !seen.has(file))
      .should.deepEqual([])
  })
})

describe('the links in dialogs, help and messages', () => {
  it('lead to pages and headings that exist', () => {
    const linked = ['nodes', 'lib', 'editor'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(html|json|ts)$/.test(file))
        .flatMap((file) =>
          [
            ...readFileSync(join(root, folder, file), 'utf8').matchAll(
              /node-red-vision\/blob\/main\/([\w./-]+)(?:#([\w-]+))?/g,
            ),
          ].map(([, page = '', anchor]) => ({ from: `${folder}/${file}`, page, anchor })),
        ),
    )
    linked.length.should.be.above(50)
    linked
      .filter(({ page, anchor }) => {
        if (!existsSync(join(root, page))) return true
        return anchor !== undefined && !anchorsOf(readFileSync(join(root, page), 'utf8')).has(anchor)
      })
      .should.deepEqual([])
  })
})
