import { recipesIn } from '../../lib/recipes/recipe'
import { readRecipes, writeRecipes } from '../../lib/recipes/recipe-file'
import { tableOf, type RecipeTable } from '../../lib/recipes/recipe-table'
import { detailOf } from '../shared/node-error'
import { jsonIn } from './columns'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('recipes')

/** The table of a node, on disk before it applies. */
export class RecipeBook {
  readonly #file: string
  #table: RecipeTable

  private constructor(file: string, table: RecipeTable) {
    this.#file = file
    this.#table = table
  }

  /**
   * Reads the table that was saved; without one, that of the settings.
   * @throws INVALID_INPUT if either cannot be used: the cell must not run with other recipes than those saved
   */
  static async open(file: string, products: string): Promise<RecipeBook> {
    let saved: RecipeTable | undefined
    try {
      saved = await readRecipes(file)
    } catch (error) {
      throw invalidInput('file-unreadable', { file, reason: detailOf(error) })
    }
    return new RecipeBook(file, saved ?? tableOf(initial(products)))
  }

  get table(): RecipeTable {
    return this.#table
  }

  /** @throws REFUSED if it cannot be saved; the table then stays as it was */
  async take(next: RecipeTable): Promise<void> {
    try {
      await writeRecipes(this.#file, next)
    } catch (error) {
      throw nodeError('REFUSED', 'not-saved', { reason: detailOf(error) })
    }
    this.#table = next
  }
}

function initial(products: string) {
  const recipes = recipesIn(jsonIn('products', products))
  if (!recipes) throw invalidInput('bad-products')
  return recipes
}
