/** Attributes of an element: `true` has no value, undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | true | undefined>>

const empty: ReadonlySet<string> = new Set(['input'])

/** An HTML element; its content is HTML. */
export function element(tag: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [value === true ? name : `${name}="${escaped(String(value))}"`],
  )
  const open = `<${[tag, ...written].join(' ')}>`
  return empty.has(tag) ? open : `${open}${content.join('')}</${tag}>`
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text escaped for HTML. */
export const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)
