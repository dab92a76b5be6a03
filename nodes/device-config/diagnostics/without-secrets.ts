import { blank, blankedIn, formsOf } from '../../../lib/client/secrets'
import { secretName, withoutSecretTexts } from './secret-texts'

/** Longest text in the file, in characters: one text is one step. */
const longest = 64 * 1024
/** Longest secret that is recognised by its form alone. */
const longestRun = 4096

/**
 * Removes all secrets from a value: the known ones, and anything that looks like one by its name or form. Blanks too
 * much rather than too little. Yields after each text, so that it can run in slices; truncates texts of more than 65
 * 536 characters.
 */
export function* withoutSecrets(value: unknown, known: readonly string[]): Generator<undefined, unknown> {
  const forms = formsOf(...known)
  // A secret that is cut in two is no longer recognised: leave out what may be the beginning of one.
  const margin = longestRun + 3 * (forms[0]?.length ?? 0)

  function cleanText(text: string): string {
    const isLong = text.length > longest + margin
    const cleaned = withoutSecretTexts(blankedIn(isLong ? text.slice(0, longest + margin) : text, forms))
    return isLong
      ? `${cleaned.slice(0, Math.max(0, Math.min(longest, cleaned.length - margin)))}… (${text.length})`
      : cleaned
  }

  function* clean(part: unknown): Generator<undefined, unknown> {
    if (typeof part === 'string') {
      yield
      return cleanText(part)
    }
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) {
      const cleaned: unknown[] = []
      for (const one of part) cleaned.push(yield* clean(one))
      return cleaned
    }
    const record = part as Record<string, unknown>
    const cleaned: [string, unknown][] = []
    for (const [key, inner] of Object.entries(record))
      cleaned.push([cleanText(key), isSecret(record, key) ? hide(inner) : yield* clean(inner)])
    return Object.fromEntries(cleaned)
  }

  return yield* clean(value)
}

/** Whether a property is secret by its name, or by the name that the record gives to its value. */
function isSecret(record: Record<string, unknown>, key: string): boolean {
  if (secretName.test(key)) return true
  const { name } = record
  return ['value', 'default', 'min', 'max'].includes(key) && typeof name === 'string' && secretName.test(name)
}

/** A boolean reveals nothing. */
const hide = (value: unknown): unknown =>
  typeof value === 'boolean' || value === null || value === undefined ? value : blank
