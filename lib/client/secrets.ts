import { secretForms } from './secret-forms'

/** Replaces a secret. */
export const blank = '***'

/** A shorter secret is blanked only where it stands alone: blanking every `ab` would garble most words. */
const shortest = 4

/** Blanks every secret in the texts of a value, because a device or a gateway may repeat what it was sent. */
export function withoutSecrets<Value>(value: Value, forms: readonly string[]): Value {
  const blanked = (part: unknown): unknown => {
    if (typeof part === 'string') return blankedIn(part, forms)
    if (Array.isArray(part)) return part.map(blanked)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [blanked(key), blanked(inner)]))
  }
  return (forms.length ? blanked(value) : value) as Value
}

/** Blanks all given forms in a text. @param forms as returned by `formsOf` */
export const blankedIn = (text: string, forms: readonly string[]): string =>
  forms.reduce(
    (rest, form) => (form.length < shortest ? blankedAlone(rest, form) : rest.replaceAll(form, blank)),
    text,
  )

/** Blanks a form only where it is not next to a letter or digit. */
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
 * All forms of the given secrets, longest first, because one may be part of another. Ignores empty secrets; for those
 * of fewer than 4 characters returns only the human-readable forms.
 */
export function formsOf(...secrets: readonly unknown[]): string[] {
  const forms = secrets.flatMap((secret) =>
    typeof secret !== 'string' || secret === '' ? [] : secretForms(secret, secret.length < shortest),
  )
  return [...new Set(forms)].sort((one, other) => other.length - one.length)
}
