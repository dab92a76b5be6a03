import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { NodeDescription } from '../../nodes/shared/fields/description'
import { contradictions } from './consistency'
import { completeHelp } from './help'
import { dialogPage } from './page'
import type { Language } from './settings'
import { catalogOf, sharedTexts } from './texts'

/**
 * Dialogs and help of all nodes, to `<to>/nodes`.
 * @param from folder of the project
 * @throws Error naming a contradiction in a description
 */
export function writeDialogs(from: string, to: string): void {
  const nodes = descriptions(join(from, 'nodes'))
  const wrong = nodes.flatMap((node) => contradictions(node).map((fault) => `${node.type}: ${fault}`))
  if (wrong.length) throw new Error(`nodes/<node>/fields.ts contradicts itself:\n${wrong.join('\n')}`)
  for (const node of nodes) {
    write(join(to, 'nodes', node.type, `${node.type}.html`), dialogPage(node))
    for (const language of readdirSync(join(from, 'nodes', node.type, 'locales'))) {
      const path = (suffix: string) => join('nodes', node.type, 'locales', language, `${node.type}.${suffix}`)
      for (const file of [path('html'), path('json')])
        if (!existsSync(join(from, file)))
          throw new Error(`${file} is missing: help and texts are needed in every language.`)
      const help = readFileSync(join(from, path('html')), 'utf8')
      try {
        write(join(to, path('html')), completeHelp(help, node, languageOf(from, nodes, language)))
      } catch (error) {
        throw new Error(`${path('html')}: ${(error as Error).message}`, { cause: error })
      }
      write(join(to, path('json')), `${JSON.stringify(catalogOf(from, node, language))}\n`)
    }
  }
}

/** From `fields.ts`. */
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

function languageOf(from: string, nodes: readonly NodeDescription[], language: string): Language {
  return {
    words: sharedTexts(from, language),
    text: (key) => {
      const path = key.replace(/^.*:/, '').split('.')
      const node = nodes.find(({ type }) => type === path[0])
      const text = path.reduce<unknown>(
        (part, name) => (part as Record<string, unknown> | undefined)?.[name],
        node && catalogOf(from, node, language),
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
