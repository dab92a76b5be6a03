import { recipeOf, type RecipeTable } from '../../lib/recipes/recipe-table'
import type { Recipe, RecipeValue } from '../../lib/recipes/recipe'
import { asType } from '../shared/read-fields'
import { isObject } from '../shared/is-object'
import { shown } from '../shared/shown'
import { labelOf, type Column } from './columns'
import { sentencesOf } from '../sentences'

const { nodeError } = sentencesOf('recipes')

/** @throws NOT_FOUND if there is none, or it lacks a value: that of the product before would stay on the device */
export function recipeOfJob(table: RecipeTable, columns: readonly Column[], given: unknown): Recipe {
  const job = asType('int64', given)
  const recipe = typeof job === 'number' ? recipeOf(table, job) : undefined
  if (!recipe) throw nodeError('NOT_FOUND', 'no-recipe', { job: shown(given) })
  const missing = columns.find(({ key }) => !Object.hasOwn(recipe.values, key))
  if (missing)
    throw nodeError('NOT_FOUND', 'recipe-incomplete', { name: recipe.name, label: labelOf(missing) })
  return recipe
}

/** Parameters by node, in the order of the columns. */
export function valuesByNode({ values }: Recipe, columns: readonly Column[]) {
  const byNode: Record<string, Record<string, RecipeValue | undefined>> = {}
  for (const { key, node, parameter } of columns) (byNode[node] ??= {})[parameter] = values[key]
  return byNode
}

/** The arguments of the detection, with region and gripper of the product. */
export function detectionArgs(
  shared: Readonly<Record<string, unknown>>,
  { region, gripper }: Recipe,
  regions: 'region' | 'region2d',
): Record<string, unknown> {
  const collisions = shared['collision_detection']
  return {
    ...shared,
    ...(region && { [regions === 'region' ? 'region_of_interest_id' : 'region_of_interest_2d_id']: region }),
    ...(gripper && {
      collision_detection: { ...(isObject(collisions) && collisions), gripper_id: gripper },
    }),
  }
}
