/** Node-RED's own initial values. */
const beginnings: Readonly<Record<string, string>> = { msg: 'payload', bool: 'true' }

/**
 * Remembers the text of each kind of a typed input, so that switching kinds loses nothing.
 * @param first initial text of a kind
 */
export function perKind(element: JQuery, first: (kind: string) => string | undefined): void {
  const texts: Record<string, string> = {}
  let kind = kindOf(element)
  let text = textOf(element)
  element.on('change', () => {
    const now = kindOf(element)
    if (now !== kind) {
      texts[kind] = text
      kind = now
      element.typedInput('value', texts[now] ?? first(now) ?? beginnings[now] ?? '')
    }
    text = textOf(element)
  })
}

export const kindOf = (element: JQuery) => element.typedInput('type')
export const textOf = (element: JQuery) => element.typedInput('value')
