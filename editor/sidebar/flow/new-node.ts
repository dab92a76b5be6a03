/** A node of this package with some fields set; the others have their defaults. */
export interface NewNode {
  type: string
  fields: Readonly<Record<string, unknown>>
}

/** The name of a type in the palette. */
export function nodeName(type: string): string {
  const definition = RED.nodes.getType(type) as
    | { paletteLabel?: string | ((this: unknown) => string) }
    | null
    | undefined
  const label = definition?.paletteLabel
  return typeof label === 'function' ? label.call(definition) : (label ?? type)
}
