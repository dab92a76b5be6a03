import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { formReason, type FormDefinition } from './form-reason'
import { jsonIn, leafReason } from './leaf-reason'
import { isObject } from '../is-object'

type KnownForms = Map<string, { leaf: Leaf } | FormDefinition>

/**
 * What the device asks for in a field of a node, as its dialog has found it out; a check of the node uses it later. This
 * script runs once for every node of the package, and all its copies share what is known.
 */
const shared = globalThis as { visionFitting?: KnownForms }
const known: KnownForms = (shared.visionFitting ??= new Map() as KnownForms)

const anyNumber: Leaf = { is: 'leaf', type: 'number', required: true }

const key = (node: EditorNode, field: string) => `${node.id} ${field}`

export function learn(
  node: EditorNode,
  field: string,
  asked: { leaf: Leaf } | FormDefinition | undefined,
): void {
  if (asked) known.set(key(node, field), asked)
  else known.delete(key(node, field))
}

/** Why a value does not fit what the device asks for; undefined where it does, or nothing is known. */
export function unfitting(node: EditorNode, field: string, kind: string, text: string): string | undefined {
  const asked = known.get(key(node, field))
  if (!asked) return kind === 'num' ? leafReason(anyNumber, kind, text) : undefined
  if ('leaf' in asked) return leafReason(asked.leaf, kind, text)
  const value = jsonIn(text)
  return isObject(value) ? formReason(asked, value) : undefined
}
