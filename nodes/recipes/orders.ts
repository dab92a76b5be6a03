import { isDeepStrictEqual } from 'node:util'
import { VisionError } from '../../lib/client/vision-error'
import {
  highestJob,
  isJob,
  longestText,
  type Recipe,
  type RecipeValue,
  mostRecipes,
  recipeOf,
  undone,
  withoutRecipe,
  withRecipe,
  type RecipeTable,
} from '../../lib/recipes/recipes'
import { acceptedValue } from '../set-parameter/set-parameter'
import { asType } from '../shared/read-fields'
import { isObject } from '../shared/is-object'
import { currentLanguage } from '../shared/node-error'
import { shown } from '../shared/shown'
import { labelOf, type Column, type DeviceOffer } from './columns'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError, say } = sentencesOf('recipes')

/**
 * A recipe from a page, checked against the device and converted to its types.
 * @throws INVALID_INPUT naming the wrong value; UNREACHABLE without the device's data
 */
function checkedRecipe(value: unknown, columns: readonly Column[], offer: DeviceOffer | undefined): Recipe {
  if (!offer) throw nodeError('UNREACHABLE', 'not-checked')
  const {
    job: number,
    name,
    region,
    gripper,
    values,
  } = Object(value) as Partial<Record<keyof Recipe, unknown>>
  const job = asType('int64', number)
  if (!isJob(job)) throw invalidInput('bad-job', { value: shown(number), most: highestJob })
  return {
    job,
    name: nameIn(name),
    region: idIn('unknown-region', region, offer.regions),
    gripper: idIn('unknown-gripper', gripper, offer.grippers),
    values: checkedValues(isObject(values) ? values : {}, columns, offer),
  }
}

/** @throws INVALID_INPUT naming the column */
function checkedValues(
  given: Readonly<Record<string, unknown>>,
  columns: readonly Column[],
  { records }: DeviceOffer,
): Record<string, RecipeValue> {
  const entries = columns.flatMap((column): [string, RecipeValue][] => {
    const { key } = column
    const record = records.get(key)
    const value = Object.hasOwn(given, key) ? given[key] : undefined
    if (!record) return []
    if (value === undefined || value === null || (value === '' && record.type !== 'string'))
      throw invalidInput('no-value', { label: labelOf(column) })
    if (typeof value === 'string' && value.length > longestText)
      throw invalidInput('value-too-long', { label: labelOf(column), most: longestText })
    try {
      return [[key, acceptedValue(record, value) as RecipeValue]]
    } catch (error) {
      if (!(error instanceof VisionError)) throw error
      throw invalidInput('bad-value', {
        label: labelOf(column),
        problem: error.inLanguage(currentLanguage()),
      })
    }
  })
  return Object.fromEntries(entries)
}

function nameIn(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (!name || name.length > longestText) throw invalidInput('bad-name', { most: longestText })
  return name
}

function idIn(key: 'unknown-region' | 'unknown-gripper', value: unknown, known: readonly string[]): string {
  if (value === undefined || value === null || value === '') return ''
  if (typeof value === 'string' && known.includes(value)) return value
  throw invalidInput(key, { id: shown(value), known: known.join(', ') || '–' })
}

export const orders = ['save', 'delete', 'undo', 'refresh'] as const

export type Order = (typeof orders)[number]

export const isOrder = (topic: unknown): topic is Order => (orders as readonly unknown[]).includes(topic)

export interface OrderContent {
  /** The page. */
  by: string
  /** Of the table that the page showed. */
  revision: unknown
  /** Job of the edited recipe; undefined for a new one. */
  was: number | undefined
  recipe: unknown
}

export function orderIn(payload: unknown): OrderContent {
  const { by, revision, was, recipe } = Object(payload) as Record<string, unknown>
  return {
    by: typeof by === 'string' ? by.slice(0, 64) : '',
    revision,
    was: typeof was === 'number' ? was : undefined,
    recipe,
  }
}

const returning = (table: RecipeTable) =>
  undone(table)?.recipes.filter((each) => !isDeepStrictEqual(each, recipeOf(table, each.job))) ?? []

/** Recipes are added, and therefore checked by the device. */
export const needsDevice = (order: Order, table: RecipeTable): boolean =>
  order === 'undo' ? returning(table).length > 0 : order !== 'delete'

interface Grounds {
  table: RecipeTable
  columns: readonly Column[]
  /** Undefined only where `needsDevice` is false. */
  offer: DeviceOffer | undefined
}

/** @returns the next table and a sentence about it @throws why the table is unchanged */
export function changedTable(
  order: Exclude<Order, 'refresh'>,
  { revision, was, recipe: given }: OrderContent,
  { table, columns, offer }: Grounds,
): { next: RecipeTable; text: string } {
  if (revision !== table.revision) throw nodeError('REFUSED', 'changed-meanwhile')
  const checked = (recipe: unknown) => checkedRecipe(recipe, columns, offer)
  if (order === 'undo') {
    const next = undone(table)
    if (!next) throw nodeError('REFUSED', 'nothing-to-undo')
    for (const recipe of returning(table)) checked(recipe)
    return { next, text: say('result-undone') }
  }
  const edited = was === undefined ? undefined : recipeOf(table, was)
  if (!edited && (order === 'delete' || was !== undefined)) throw nodeError('REFUSED', 'changed-meanwhile')
  if (edited && order === 'delete')
    return { next: withoutRecipe(table, edited), text: say('result-deleted', { name: edited.name }) }
  const recipe = checked(given)
  const other = recipeOf(table, recipe.job)
  if (other && other.job !== was)
    throw nodeError('INVALID_INPUT', 'job-taken', { job: recipe.job, name: other.name })
  if (!edited && table.recipes.length >= mostRecipes)
    throw nodeError('REFUSED', 'table-full', { most: mostRecipes })
  return { next: withRecipe(table, recipe, was), text: say('result-saved', { name: recipe.name }) }
}
