import { byJob, recipesIn, type Recipe } from './recipe'

/** What a person did to the table. */
export interface RecipeChange {
  what: 'added' | 'changed' | 'deleted'
  name: string
}

/** The recipes of a cell, and those before the last change. */
export interface RecipeTable {
  /** Counts the changes, so that nobody saves over what they have not seen. */
  revision: number
  /** In the order of their jobs. */
  recipes: readonly Recipe[]
  before?: { recipes: readonly Recipe[]; change: RecipeChange; isUndone: boolean }
}

export const tableOf = (recipes: readonly Recipe[]): RecipeTable => ({ revision: 0, recipes: byJob(recipes) })

export const recipeOf = ({ recipes }: RecipeTable, job: number): Recipe | undefined =>
  recipes.find((recipe) => recipe.job === job)

/** @param was job of the recipe that it replaces; undefined adds one */
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

/** Takes the last change back, or makes it again if that was done last. */
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

/** What a file holds that somebody may have edited; undefined if it is no table. */
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
