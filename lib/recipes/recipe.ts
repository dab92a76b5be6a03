/** The value of a parameter in a recipe. */
export type RecipeValue = string | number | boolean

/** What device and cell use for one product. */
export interface Recipe {
  /** The number by which the PLC calls it. */
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

/** What a file or a setting holds that somebody may have edited; undefined if it is no list of recipes. */
export function recipesIn(found: unknown): Recipe[] | undefined {
  if (!Array.isArray(found) || found.length > mostRecipes || !found.every(isRecipe)) return undefined
  const recipes = found.map(({ job, name, region, gripper, values }) => ({
    ...{ job, name, region, gripper },
    values: { ...values },
  }))
  const jobs = new Set(recipes.map(({ job }) => job))
  return jobs.size === recipes.length ? byJob(recipes) : undefined
}

export const byJob = (recipes: readonly Recipe[]): Recipe[] =>
  [...recipes].sort((one, other) => one.job - other.job)

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
