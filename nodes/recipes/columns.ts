import { isObject } from '../shared/is-object'
import { spoken } from '../shared/node-error'
import { shown } from '../shared/shown'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('recipes')

/** A parameter that differs from product to product. */
export interface Column {
  /** `node.parameter` */
  key: string
  node: string
  parameter: string
  /** By language; '' for all others. */
  labels: Readonly<Record<string, string>>
}

/** Reads the columns of the settings. @throws INVALID_INPUT naming what is wrong */
export function columnsIn(text: string): Column[] {
  const columns = Object.entries(objectIn('columns', text)).map(([key, given]): Column => {
    const dot = key.indexOf('.')
    const [node, parameter] = [key.slice(0, dot), key.slice(dot + 1)]
    if (dot < 1 || !parameter) throw invalidInput('bad-column', { column: shown(key) })
    return { key, node, parameter, labels: labelsIn(given, parameter) }
  })
  if (columns.length === 0) throw invalidInput('no-columns')
  return columns
}

/** The heading in the present language, otherwise in English. */
export const labelOf = ({ labels, parameter }: Column): string => {
  const language = spoken() ?? 'en-US'
  return labels[language] ?? labels[language.slice(0, 2)] ?? labels['en-US'] ?? labels[''] ?? parameter
}

/** A JSON object of the settings. @throws INVALID_INPUT */
export function objectIn(field: string, text: string): Record<string, unknown> {
  const found = jsonIn(field, text)
  if (!isObject(found)) throw invalidInput('not-an-object', { field })
  return found
}

/** @throws INVALID_INPUT */
export function jsonIn(field: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw invalidInput('not-json', { field }, error)
  }
}

function labelsIn(given: unknown, parameter: string): Record<string, string> {
  if (typeof given === 'string') return { '': given || parameter }
  if (!isObject(given)) return { '': parameter }
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
