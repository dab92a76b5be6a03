import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeDescription } from '../../nodes/shared/fields/description'
import type { SharedTexts } from '../../nodes/shared/fields/checked-fields'

/** Nested, below the name of the node. */
export type Catalog = Record<string, Record<string, Record<string, unknown>>>

/** Words of the help, and texts of common fields. */
export const sharedTexts = (from: string, language: string) =>
  read(join(from, 'nodes', 'shared', 'fields', 'words', `${language}.json`)) as SharedTexts

/** With common texts for common fields. */
export function catalogOf(from: string, node: NodeDescription, language: string): Catalog {
  const { type } = node
  const catalog = read(join(from, 'nodes', type, 'locales', language, `${type}.json`)) as Catalog
  const own = (catalog[type] ??= {})
  for (const [name, texts] of Object.entries(sharedTexts(from, language).fields)) {
    const field = node.fields[name]
    if (!field) continue
    own['label'] = { [name]: texts.label, ...own['label'] }
    if ('placeholder' in texts && 'placeholder' in field && field.placeholder === true)
      own['placeholder'] = { [name]: texts.placeholder, ...own['placeholder'] }
    if ('hint' in texts && 'hint' in field && field.hint === true)
      own['hint'] = { [name]: texts.hint, ...own['hint'] }
    if ('unit' in texts && 'unitText' in field) own['unit'] = { [name]: texts.unit, ...own['unit'] }
  }
  return catalog
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
