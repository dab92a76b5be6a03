/** Characters. */
const most = 80

/** JSON of at most 80 characters for errors; otherwise the type. */
export function shown(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  const excerpt = new Excerpt()
  try {
    if (!excerpt.add(value)) return typeof value
  } catch {
    // Circular or unreadable.
    return typeof value
  }
  const { text } = excerpt
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** Renders only the part that is shown. */
class Excerpt {
  text = ''
  readonly #around = new Set<object>()

  get #isFull(): boolean {
    return this.text.length > most
  }

  /** @returns false for what JSON leaves out @throws TypeError for what it cannot express */
  add(input: unknown): boolean {
    const value = ArrayBuffer.isView(input) ? input : ownJson(input)
    if (typeof value === 'bigint') throw new TypeError('BigInt')
    if (typeof value === 'string') this.text += JSON.stringify(value.slice(0, most + 1))
    else if (typeof value !== 'object' || value === null) {
      const text = JSON.stringify(value) as string | undefined
      if (text === undefined) return false
      this.text += text
    } else {
      if (this.#around.has(value)) throw new TypeError('circular')
      this.#around.add(value)
      if (Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value))
        this.#list(value as ArrayLike<unknown>)
      else this.#object(value)
      this.#around.delete(value)
    }
    return true
  }

  #list(list: ArrayLike<unknown>): void {
    this.text += '['
    for (let at = 0; at < list.length && !this.#isFull; at++) {
      if (at > 0) this.text += ','
      if (!this.add(list[at])) this.text += 'null'
    }
    this.text += ']'
  }

  #object(object: object): void {
    this.text += '{'
    let isFirst = true
    for (const [name, value] of entriesOf(object)) {
      if (this.#isFull) break
      const before = this.text
      this.text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
      if (this.add(value)) isFirst = false
      else this.text = before
    }
    this.text += '}'
  }
}

function* entriesOf(object: object): Generator<[string, unknown]> {
  for (const name of Object.keys(object)) yield [name, (object as Record<string, unknown>)[name]]
}

/** Like `JSON.stringify`: applies `toJSON` and unwraps primitive objects. */
function ownJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  const own: unknown = typeof toJSON === 'function' ? toJSON.call(value, '') : value
  return own instanceof Number || own instanceof String || own instanceof Boolean || own instanceof BigInt
    ? own.valueOf()
    : own
}
