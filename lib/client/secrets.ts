import { secretForms } from './secret-forms'

/** What stands in the place of a secret. */
export const blank = '***'

/** A shorter secret is blanked only where it stands alone: without every `ab`, no word would stay whole. */
const shortest = 4

/** A value with every secret in its texts blanked. A device or a gateway may repeat what it was sent. */
export function withoutSecrets<Value>(value: Value, forms: readonly string[]): Value {
  const blanked = (part: unknown): unknown => {
    if (typeof part === 'string') return blankedIn(part, forms)
    if (Array.isArray(part)) return part.map(blanked)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [blanked(key), blanked(inner)]))
  }
  return (forms.length ? blanked(value) : value) as Value
}

/** A text with every one of these forms blanked. @param forms as `formsOf` gives them */
export const blankedIn = (text: string, forms: readonly string[]): string =>
  forms.reduce(
    (rest, form) => (form.length < shortest ? blankedAlone(rest, form) : rest.replaceAll(form, blank)),
    text,
  )

/** Blanks a form only where no letter or digit stands beside it. */
function blankedAlone(text: string, form: string): string {
  let kept = ''
  let from = 0
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    if (at < from || isOfWord(text[at - 1]) || isOfWord(text[at + form.length])) continue
    kept += text.slice(from, at) + blank
    from = at + form.length
  }
  return kept + text.slice(from)
}

const isOfWord = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/**
 * Secrets in all forms they travel in, the longest first: one may be a part of another. An empty one is none; of one of
 * fewer than 4 characters only the forms in which it can be read count.
 */
export function formsOf(...secrets: readonly unknown[]): string[] {
  const forms = secrets.flatMap((secret) =>
    typeof secret !== 'string' || secret === '' ? [] : secretForms(secret, secret.length < shortest),
  )
  return [...new Set(forms)].sort((one, other) => other.length - one.length)
}
