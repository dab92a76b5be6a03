import { readFile } from 'node:fs/promises'
import { removeUnfinished, writeDurably } from '../files/write-durably'
import { tableIn, type RecipeTable } from './recipe-table'

/** A table that cannot be used: a cell must not go on with other recipes than those that were saved. */
export class UnreadableTable extends Error {
  override readonly name = 'UnreadableTable'
}

/**
 * Reads the table of a cell; undefined if none was saved yet.
 * @throws UnreadableTable if the file is damaged; the error of the system if it cannot be read
 */
export async function readRecipes(file: string): Promise<RecipeTable | undefined> {
  await removeUnfinished(file)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const table = tableIn(parsed(text))
  if (!table) throw new UnreadableTable('not a table of recipes')
  return table
}

/** Resolves when the table would survive a power failure. */
export const writeRecipes = (file: string, table: RecipeTable): Promise<void> =>
  writeDurably(file, `${JSON.stringify(table, undefined, 1)}\n`, 0o600)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
