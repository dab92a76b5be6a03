import { fieldOf } from '../dialog'
import { holds } from '../../lib/contract/reading/holds'

/** When a field may be empty, and when it counts at all. */
export interface Rules {
  optional?: boolean
  /** It is optional only while this rule does not hold. */
  neededWhen?: string
  /** It counts only while this rule holds. */
  when?: string
}

/** Whether a rule holds for the fields of a node, as they are seen or stored. */
export const rule = (node: EditorNode, text: string) => holds(text, (other) => fieldOf(node, other))

export const counts = (node: EditorNode, { when }: Rules) => !when || rule(node, when)

export const mayBeEmpty = (node: EditorNode, { optional = false, neededWhen }: Rules) =>
  optional && !(neededWhen && rule(node, neededWhen))
