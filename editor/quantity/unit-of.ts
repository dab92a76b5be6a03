import { fieldOf, inputOf } from '../dialog'

/**
 * The unit of a number field in the open dialog, from its input: `data-unit="s"`, or `data-unit-from="gridUnit"` if
 * another field has it. Empty for a plain number.
 */
export function unitOf(node: EditorNode, field: string): string {
  const element = inputOf(node, field)
  const other = element.attr('data-unit-from')
  return other ? fieldOf(node, other) : (element.attr('data-unit') ?? '')
}
