import { rows, type Row, type RowName } from '../rows'
import { shortRowText } from '../row-text'

type Labelled = { row: RowName; index?: number; component?: number | undefined; path?: string | undefined }

/** What a sentence calls a value of the map, in the language of its reader: `Pose 1.3`, `Result code`, `payload.score`. */
export class RowLabel {
  readonly #of: Labelled

  constructor({ row, index, component, path }: Labelled) {
    this.#of = { row, ...(index !== undefined && { index }), component, path }
  }

  inLanguage(language?: string): string {
    const { row, index = 1, component, path } = this.#of
    const { indexed, components }: Row = rows[row]
    if (row === 'property') return path ?? shortRowText(row, language)
    if (!indexed) return shortRowText(row, language)
    return `${shortRowText(row, language)} ${index}${components && component !== undefined ? `.${component}` : ''}`
  }

  toString(): string {
    return this.inLanguage()
  }

  toJSON(): string {
    return this.inLanguage()
  }
}
