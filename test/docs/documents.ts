import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
