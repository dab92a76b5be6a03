/** The words of the search text, in lower case. */
export const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s/).filter(Boolean)

/**
 * Whether an item matches: it contains at least one of the words itself, and the others are in it or in what contains
 * it. So `left fps` finds the parameter `fps` of the device "left".
 */
export function matches(words: readonly string[], own: string, around: readonly string[] = []): boolean {
  return (
    words.some((word) => has(own, word)) &&
    words.every((word) => has(own, word) || around.some((each) => has(each, word)))
  )
}

/** A number matches only as a whole: 1 is neither in "Cell 12" nor in 10.0.0.1. */
function has(text: string, word: string): boolean {
  if (!/^\d+$/.test(word)) return text.toLowerCase().includes(word)
  return text.split(/[^\d.:]/).includes(word)
}
