/** `true` has no value, undefined is omitted. */
export type Attributes = Readonly<Record<string, string | number | true | undefined>>

const empty: ReadonlySet<string> = new Set(['input'])

/** @param content HTML */
export function element(tag: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [value === true ? name : `${name}="${escaped(String(value))}"`],
  )
  const open = `<${[tag, ...written].join(' ')}>`
  return empty.has(tag) ? open : `${open}${content.join('')}</${tag}>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
