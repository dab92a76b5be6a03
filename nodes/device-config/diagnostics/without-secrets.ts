import { blank, blankedIn, formsOf } from '../../../lib/client/secrets'
import { secretName, withoutSecretTexts } from './secret-texts'

/**
 * A value with nothing secret in it: without the known secrets, and without whatever looks like one by its name or its
 * form. Rather too much is blanked than too little. Yields after each text, so that it can be done in slices.
 */
export function* withoutSecrets(value: unknown, known: readonly string[]): Generator<undefined, unknown> {
  const forms = formsOf(...known)
  const cleanText = (text: string) => withoutSecretTexts(blankedIn(text, forms))

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

/** A switch tells no secret. */
const hide = (value: unknown): unknown =>
  typeof value === 'boolean' || value === null || value === undefined ? value : blank
