import type { Parameter } from '../schemas/parameter'

/**
 * The allowed values of a text parameter, which the device lists in square brackets in the description: `Density of the
 * depth image: [Low, Medium, High, Full]`. Undefined if it lists none.
 */
export function choices({ type, description, default: byDefault }: Parameter): string[] | undefined {
  if (type !== 'string' || typeof byDefault !== 'string') return undefined
  for (const [, inside = ''] of description.matchAll(/\[([^[\]]*)\]/g)) {
    const listed = inside.split(',').map((choice) => choice.trim())
    // Brackets without the default are part of the text.
    if (listed.length > 1 && listed.includes(byDefault)) return listed
  }
  return undefined
}
