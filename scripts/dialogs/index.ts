import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { NodeDescription } from '../../nodes/shared/fields/description'
import { contradictions } from './consistency'
import { helpWithSettings, type Language } from './help'
import { dialogPage } from './page'

/**
 * Writes the dialogs and the help of all nodes into `<to>/nodes`.
 * @param from the project
 * @throws Error naming what contradicts itself in the description of a node
 */
export function writeDialogs(from: string, to: string): void {
  const nodes = descriptions(join(from, 'nodes'))
  const wrong = nodes.flatMap((node) => contradictions(node).map((fault) => `${node.type}: ${fault}`))
  if (wrong.length) throw new Error(`nodes/<node>/fields.ts contradicts itself:\n${wrong.join('\n')}`)
  for (const node of nodes) {
    write(join(to, 'nodes', node.type, `${node.type}.html`), dialogPage(node))
    for (const language of readdirSync(join(from, 'nodes', node.type, 'locales'))) {
      const path = join('nodes', node.type, 'locales', language, `${node.type}.html`)
      const texts = languageOf(from, language)
      write(join(to, path), helpWithSettings(readFileSync(join(from, path), 'utf8'), node, texts))
    }
  }
}

/** What every node with a folder of its own exports from its `fields.ts`. */
export function descriptions(folder: string): NodeDescription[] {
  const load = createRequire(__filename)
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'fields.ts')))
    .map((name) => {
      const exported = load(`../../nodes/${name}/fields`) as Record<string, unknown>
      const found = Object.values(exported).find((value) => isDescription(value, name))
      if (!found) throw new Error(`nodes/${name}/fields.ts exports no description of the type ${name}.`)
      return found as NodeDescription
    })
}

const isDescription = (value: unknown, type: string) =>
  typeof value === 'object' && value !== null && (value as Partial<NodeDescription>).type === type

function languageOf(from: string, language: string): Language {
  const file = (path: string) => JSON.parse(readFileSync(join(from, path), 'utf8')) as object
  const words = file(join('scripts', 'dialogs', 'words', `${language}.json`)) as Language['words']
  return {
    words,
    text: (key) => {
      const path = key.replace(/^.*:/, '').split('.')
      const [node = ''] = path
      const texts: unknown = file(join('nodes', node, 'locales', language, `${node}.json`))
      const text = path.reduce<unknown>(
        (part, name) => (part as Record<string, unknown> | undefined)?.[name],
        texts,
      )
      if (typeof text !== 'string') throw new Error(`${language}: there is no text ${key}.`)
      return text
    },
  }
}

function write(path: string, content: string) {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path) || readFileSync(path, 'utf8') !== content) writeFileSync(path, content)
}
