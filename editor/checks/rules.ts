import { fieldOf } from '../dialog'
import { holds } from '../../lib/contract/reading/holds'

/** When a field may be empty, and when it applies at all. */
export interface Rules {
  optional?: boolean
  /** Required while this rule holds, otherwise optional. */
  neededWhen?: string
  /** Applies only while this rule holds. */
  when?: string
}

/** Whether a rule holds for the fields of a node, as shown in the dialog or as stored. */
export const rule = (node: EditorNode, text: string) => holds(text, (other) => fieldOf(node, other))

export const counts = (node: EditorNode, { when }: Rules) => !when || rule(node, when)

export const mayBeEmpty = (node: EditorNode, { optional = false, neededWhen }: Rules) =>
  optional && !(neededWhen && rule(node, neededWhen))
