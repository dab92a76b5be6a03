/** Characters of a value in an error. */
const most = 80

/** A value as shown in an error: as JSON, at most 80 characters; a value without JSON by its type. */
export function shown(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  const excerpt = new Excerpt()
  try {
    if (!excerpt.add(value)) return typeof value
  } catch {
    // It is circular, or cannot be read.
    return typeof value
  }
  const { text } = excerpt
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The beginning of a value as JSON: of a large one, only the part that is shown is written. */
class Excerpt {
  text = ''
  readonly #around = new Set<object>()

  get #isFull(): boolean {
    return this.text.length > most
  }

  /** @returns false for what JSON leaves out @throws TypeError for what it cannot express */
  add(given: unknown): boolean {
    const value = ArrayBuffer.isView(given) ? given : ownJson(given)
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

/** As `JSON.stringify` takes it: by its own `toJSON`, and out of the objects around primitive values. */
function ownJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const { toJSON } = value as { toJSON?: unknown }
  const own: unknown = typeof toJSON === 'function' ? toJSON.call(value, '') : value
  return own instanceof Number || own instanceof String || own instanceof Boolean || own instanceof BigInt
    ? own.valueOf()
    : own
}
