import { renderJson } from '../../../lib/codec/json'

/** A value that is already encoded as JSON. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** Renders plain values as `renderJson` does, with a yield after each text and number, for `inSlices`. */
export function* jsonTextSteps(value: unknown): Generator<undefined, JsonText> {
  const parts: string[] = []

  function* write(part: unknown): Generator<undefined, void> {
    if (typeof part !== 'object' || part === null) {
      parts.push(renderJson(part))
      yield
    } else if (Array.isArray(part)) {
      for (const [index, one] of part.entries()) {
        parts.push(index === 0 ? '[' : ',')
        yield* write(one)
      }
      parts.push(part.length === 0 ? '[]' : ']')
    } else {
      const fields = Object.entries(part).filter(([, inner]) => inner !== undefined)
      for (const [index, [key, inner]] of fields.entries()) {
        parts.push(`${index === 0 ? '{' : ','}${renderJson(key)}:`)
        yield* write(inner)
      }
      parts.push(fields.length === 0 ? '{}' : '}')
    }
  }

  yield* write(value)
  return new JsonText(parts.join(''))
}
