import type { Parameter } from '../../lib/contract'
import { fixedKinds, kindName } from './kinds'
import { parameterShape } from './parameter-shape'
import { kindOf, textOf } from './per-kind'

/** A value that nobody has set yet, and that may therefore follow other fields. */
export interface Follower {
  /** Whether the field still has its initial value, or the one that `follow` has set. */
  isUntouched: () => boolean
  /** Takes the value from the message, as in a new node. */
  reset: () => void
  /**
   * Starts with the present value of a boolean parameter or one with choices; others keep taking it from the message.
   */
  follow: (record: Parameter | undefined) => void
}

/** @param isNew whether the node is new; a stored value was set by somebody */
export function follower(element: JQuery, isNew: boolean): Follower {
  const state = () => `${kindOf(element)} ${textOf(element)}`
  let own = isNew ? 'msg payload' : undefined

  function put(kind: string, text: string) {
    element.typedInput('type', kind)
    element.typedInput('value', text)
    own = state()
  }

  return {
    isUntouched: () => state() === own,
    reset: () => put('msg', 'payload'),
    follow: (record) => {
      const leaf = record && parameterShape(record)
      const [fixed] = leaf && (leaf.type === 'bool' || leaf.choices) ? fixedKinds(leaf, '') : []
      if (fixed) put(kindName(fixed), String(record?.value))
    },
  }
}
