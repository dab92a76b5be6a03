/** A node of ours with some fields set; the others have their defaults. */
export interface NewNode {
  type: string
  fields: Readonly<Record<string, unknown>>
}

/** What the palette calls a type. */
export function nodeName(type: string): string {
  const definition = RED.nodes.getType(type) as
    { paletteLabel?: string | ((this: unknown) => string) } | null | undefined
  const label = definition?.paletteLabel
  return typeof label === 'function' ? label.call(definition) : (label ?? type)
}
