import { recipesIn, tableIn, tableOf, type RecipeTable } from '../../lib/recipes/recipes'
import { openValue, StorageError, type DurableValue, type StorageOptions } from '../../lib/kernel/storage'
import { Type } from '../../lib/typebox'
import { detailOf, currentLanguage } from '../shared/node-error'
import { jsonIn } from './columns'
import { sentencesOf } from '../sentences'

const { invalidInput, nodeError } = sentencesOf('recipes')

const nothingSaved = tableOf([])

/** @throws StorageError `DAMAGED`: a cell must not run with other recipes than the saved ones */
export const openTable = (
  options: Pick<StorageOptions, 'file' | 'onDamage'>,
  initial: RecipeTable,
): Promise<DurableValue<RecipeTable>> =>
  openValue({
    ...options,
    schema: Type.Unsafe<RecipeTable>(Type.Object({ revision: Type.Integer() })),
    isValid: (table) => tableIn(table) !== undefined,
    initial,
    unusable: 'refuse',
    bytes: 16 * 1024 * 1024,
  })

/** Saved before it applies. */
export class RecipeBook {
  private constructor(
    private readonly file: DurableValue<RecipeTable>,
    private readonly initial: RecipeTable,
  ) {}

  /**
   * The saved table, otherwise that of the settings.
   * @param onDamage called if the last good copy replaces a damaged file
   * @throws INVALID_INPUT if neither can be used: a cell must not run with other recipes than the saved ones
   */
  static async open(
    file: string,
    products: string,
    onDamage: (damage: StorageError) => void,
  ): Promise<RecipeBook> {
    let saved: DurableValue<RecipeTable>
    try {
      saved = await openTable({ file, onDamage }, nothingSaved)
    } catch (error) {
      throw invalidInput('file-unreadable', { file, reason: reasonOf(error) })
    }
    const isSaved = saved.value !== nothingSaved
    return new RecipeBook(saved, isSaved ? nothingSaved : tableOf(initialRecipes(products)))
  }

  get table(): RecipeTable {
    const { value } = this.file
    return value === nothingSaved ? this.initial : value
  }

  /** @throws REFUSED if it cannot be saved; the table is then unchanged */
  async take(next: RecipeTable): Promise<void> {
    try {
      await this.file.set(next)
    } catch (error) {
      throw nodeError('REFUSED', 'not-saved', { reason: reasonOf(error) })
    }
  }

  close(): Promise<void> {
    return this.file.close()
  }
}

/** Without the file name. */
const reasonOf = (error: unknown): string =>
  error instanceof StorageError ? error.because(currentLanguage()) : detailOf(error)

function initialRecipes(products: string) {
  const recipes = recipesIn(jsonIn('products', products))
  if (!recipes) throw invalidInput('bad-products')
  return recipes
}
