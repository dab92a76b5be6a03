/** A name that cannot be used in a path. */
export class UnusableName extends Error {
  constructor(readonly field: string) {
    super(field)
  }
}

type Values = Record<string, unknown>

/**
 * Compiles `/nodes/{node}/status` into a function from values to the path. Every value becomes exactly one segment. The
 * function throws `UnusableName` for a value that no encoding can keep in its segment.
 */
export function pathBuilder(template: string): (values: Values) => string {
  const [start = '', ...rest] = template.split('{')
  if (!rest.length) return () => template
  const parts = rest.map((part) => {
    const [field = '', text = ''] = part.split('}')
    return { field, text }
  })
  return (values) => {
    let path = start
    for (const { field, text } of parts) path += segment(field, values[field]) + text
    return path
  }
}

const needsNoEncoding = /^[\w~-][\w.~-]*$/

function segment(field: string, value: unknown): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
    // URL parsers collapse dot segments, even encoded as %2e, which leads to another resource.
    throw new UnusableName(field)
  }
  return needsNoEncoding.test(value) ? value : encoded(field, value)
}

/** The values as a query, `?name=a&name=b`; a list repeats its name, undefined values are left out. */
export function queryOf(fields: readonly string[], values: Values): string {
  let query = ''
  for (const field of fields) {
    const value = values[field]
    if (value === undefined) continue
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
      query += `${query ? '&' : '?'}${field}=${encoded(field, String(one))}`
  }
  return query
}

/** A form body, `destination=10.0.0.1%3A30000`. */
export const formOf = (fields: readonly string[], values: Values): string => queryOf(fields, values).slice(1)

function encoded(field: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    // A lone surrogate has no UTF-8 form.
    throw new UnusableName(field)
  }
}
