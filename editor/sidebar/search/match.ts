/** The words of what was typed, in small letters. */
export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s/).filter(Boolean)

/**
 * Whether a thing is what was searched for: it has one of the words itself, and the others too, or they are told by
 * where it lies. So `left fps` finds the parameter `fps` of the device "left".
 */
export function matches(words: readonly string[], own: string, around: readonly string[] = []): boolean {
  const itself = own.toLowerCase()
  const all = [itself, ...around.map((each) => each.toLowerCase())]
  return (
    words.some((word) => itself.includes(word)) &&
    words.every((word) => all.some((each) => each.includes(word)))
  )
}
