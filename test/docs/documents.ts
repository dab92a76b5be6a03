import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../support/root'

export interface CodeBlock {
  /** The word after the opening fence: `ts`, `json`, or nothing for a command. */
  language: string
  code: string
  /** Line of the opening fence, from 1. */
  line: number
}

interface Document {
  /** Path from the root of the project. */
  path: string
  text: string
  blocks: CodeBlock[]
}

/** What people read: README and the like, and the pages in docs. */
export const documents: readonly Document[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, blocks: blocksOf(text) }
})

function blocksOf(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = '', 2: code = '', index }) => ({
      language,
      code,
      line: text.slice(0, index).split('\n').length,
    }),
  )
}

interface Reference {
  /** Document that contains it. */
  from: string
  /** Path from the root of the project, without an anchor. */
  file: string
  anchor: string | undefined
  isPicture: boolean
}

/** Links and pictures of a document to files of this project; code is not searched. */
function referencesOf({ path, text }: { path: string; text: string }): Reference[] {
  const prose = text.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/(!?)\[(?:[^\]]|\]\()*?\]\(([^)\s]+)\)/g)]
    .map(([, picture, target = '']) => ({ target, isPicture: picture === '!' }))
    .filter(({ target }) => !/^[a-z]+:/.test(target))
    .map(({ target, isPicture }) => {
      const [file = '', anchor] = target.split('#')
      return { from: path, file: file ? join(dirname(path), file) : path, anchor, isPicture }
    })
}

/** All references of all documents to files of this project. */
export const references: readonly Reference[] = documents.flatMap(referencesOf)
