/**
 * The recipes of a cell, and changes to them. In: tables from files, edits of a person. Out: checked tables. Knows neither
 * Node-RED nor the device.
 */
export type RecipeValue = string | number | boolean

export interface Recipe {
  job: number
  name: string
  /** Id of a region of interest on the device; empty: none. */
  region: string
  /** Id of a gripper on the device; empty: none. */
  gripper: string
  /** By `node.parameter`. */
  values: Readonly<Record<string, RecipeValue>>
}

export const mostRecipes = 500

/** Characters of a name, an id or a text. */
export const longestText = 100

export const highestJob = 2 ** 31 - 1

const mostValues = 100

export const isJob = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= highestJob

/** Of a file or a setting that may have been edited; undefined if it is no list of recipes. */
export function recipesIn(found: unknown): Recipe[] | undefined {
  if (!Array.isArray(found) || found.length > mostRecipes || !found.every(isRecipe)) return undefined
  const recipes = found.map(({ job, name, region, gripper, values }) => ({
    ...{ job, name, region, gripper },
    values: { ...values },
  }))
  const jobs = new Set(recipes.map(({ job }) => job))
  return jobs.size === recipes.length ? byJob(recipes) : undefined
}

const byJob = (recipes: readonly Recipe[]): Recipe[] => [...recipes].sort((one, other) => one.job - other.job)

function isRecipe(value: unknown): value is Recipe {
  if (typeof value !== 'object' || value === null) return false
  const { job, name, region, gripper, values } = value as Partial<Record<keyof Recipe, unknown>>
  return (
    isJob(job) &&
    isText(name) &&
    name.trim() !== '' &&
    isText(region) &&
    isText(gripper) &&
    typeof values === 'object' &&
    values !== null &&
    !Array.isArray(values) &&
    Object.keys(values).length <= mostValues &&
    Object.values(values).every(isValue)
  )
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= longestText

const isValue = (value: unknown): value is RecipeValue =>
  typeof value === 'boolean' || isText(value) || (typeof value === 'number' && Number.isFinite(value))

export interface RecipeChange {
  what: 'added' | 'changed' | 'deleted'
  name: string
}

/** The recipes of a cell, and those before the last change. */
export interface RecipeTable {
  /** A page cannot overwrite changes that it has not shown. */
  revision: number
  /** In the order of their jobs. */
  recipes: readonly Recipe[]
  before?: { recipes: readonly Recipe[]; change: RecipeChange; isUndone: boolean }
}

export const tableOf = (recipes: readonly Recipe[]): RecipeTable => ({ revision: 0, recipes: byJob(recipes) })

export const recipeOf = ({ recipes }: RecipeTable, job: number): Recipe | undefined =>
  recipes.find((recipe) => recipe.job === job)

/** @param was job of the replaced recipe; undefined adds one */
export const withRecipe = (table: RecipeTable, recipe: Recipe, was: number | undefined): RecipeTable =>
  changed(table, [...table.recipes.filter(({ job }) => job !== was && job !== recipe.job), recipe], {
    what: was === undefined ? 'added' : 'changed',
    name: recipe.name,
  })

export const withoutRecipe = (table: RecipeTable, { job, name }: Recipe): RecipeTable =>
  changed(
    table,
    table.recipes.filter((recipe) => recipe.job !== job),
    { what: 'deleted', name },
  )

/** Undoes the last change, or redoes it. */
export const undone = ({ revision, recipes, before }: RecipeTable): RecipeTable | undefined =>
  before && {
    revision: revision + 1,
    recipes: before.recipes,
    before: { recipes, change: before.change, isUndone: !before.isUndone },
  }

const changed = (
  { revision, recipes }: RecipeTable,
  next: readonly Recipe[],
  change: RecipeChange,
): RecipeTable => ({
  revision: revision + 1,
  recipes: byJob(next),
  before: { recipes, change, isUndone: false },
})

const changes: readonly unknown[] = ['added', 'changed', 'deleted'] satisfies RecipeChange['what'][]

/** Of a file that may have been edited; undefined if it is no table. */
export function tableIn(found: unknown): RecipeTable | undefined {
  const { revision, recipes, before } = Object(found) as Partial<Record<keyof RecipeTable, unknown>>
  const list = recipesIn(recipes)
  if (!list || !Number.isSafeInteger(revision)) return undefined
  const table = { revision: revision as number, recipes: list }
  if (before === undefined) return table
  const { recipes: earlier, change, isUndone } = Object(before) as Record<string, unknown>
  const { what, name } = Object(change) as Record<string, unknown>
  const earlierList = recipesIn(earlier)
  if (!earlierList || !changes.includes(what) || typeof name !== 'string' || typeof isUndone !== 'boolean')
    return undefined
  return {
    ...table,
    before: { recipes: earlierList, change: { what: what as RecipeChange['what'], name }, isUndone },
  }
}
