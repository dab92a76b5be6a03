import type { ImageLink } from './types'

/**
 * Waits for the next item and uses it. A loop of such calls has nothing in memory while it waits, but a loop with
 * `for await` has the item before.
 * @returns what `use` returns; undefined if the link has ended
 */
export async function useNext<Item, Result>(
  link: ImageLink<Item>,
  use: (item: Item) => Promise<Result>,
): Promise<Result | undefined> {
  const { done, value } = await link.next()
  return done ? undefined : use(value)
}
