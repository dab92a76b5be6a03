import { isDeepStrictEqual } from 'node:util'
import { recipeOf, undone, withoutRecipe, withRecipe, type RecipeTable } from '../../lib/recipes/recipe-table'
import { mostRecipes } from '../../lib/recipes/recipe'
import { checkedRecipe } from './checked-recipe'
import type { Column } from './columns'
import type { DeviceOffer } from './device-offer'
import { sentencesOf } from '../sentences'

const { nodeError, say } = sentencesOf('recipes')

/** What a page asks for. */
export const orders = ['save', 'delete', 'undo', 'refresh'] as const
export type Order = (typeof orders)[number]
export const isOrder = (topic: unknown): topic is Order => (orders as readonly unknown[]).includes(topic)

/** The payload of an order. */
export interface OrderContent {
  /** The page. */
  by: string
  /** Of the table that the person saw. */
  revision: unknown
  /** Job of the recipe that is meant; undefined for a new one. */
  was: number | undefined
  recipe: unknown
}

/** Reads what a page sent. */
export function orderIn(payload: unknown): OrderContent {
  const { by, revision, was, recipe } = Object(payload) as Record<string, unknown>
  return {
    by: typeof by === 'string' ? by.slice(0, 64) : '',
    revision,
    was: typeof was === 'number' ? was : undefined,
    recipe,
  }
}

/** Recipes that come back with an undo, as they were. */
const returning = (table: RecipeTable) =>
  undone(table)?.recipes.filter((each) => !isDeepStrictEqual(each, recipeOf(table, each.job))) ?? []

/** Whether recipes come into the table, which the device is asked about first. */
export const needsDevice = (order: Order, table: RecipeTable): boolean =>
  order === 'undo' ? returning(table).length > 0 : order !== 'delete'

interface Grounds {
  table: RecipeTable
  columns: readonly Column[]
  /** Undefined only where `needsDevice` says so. */
  offer: DeviceOffer | undefined
}

/** The next table, and a sentence about it. @throws an error that says why the table stays as it is */
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
  const meant = was === undefined ? undefined : recipeOf(table, was)
  if (!meant && (order === 'delete' || was !== undefined)) throw nodeError('REFUSED', 'changed-meanwhile')
  if (meant && order === 'delete')
    return { next: withoutRecipe(table, meant), text: say('result-deleted', { name: meant.name }) }
  const recipe = checked(given)
  const other = recipeOf(table, recipe.job)
  if (other && other.job !== was)
    throw nodeError('INVALID_INPUT', 'job-taken', { job: recipe.job, name: other.name })
  if (!meant && table.recipes.length >= mostRecipes)
    throw nodeError('REFUSED', 'table-full', { most: mostRecipes })
  return { next: withRecipe(table, recipe, was), text: say('result-saved', { name: recipe.name }) }
}
