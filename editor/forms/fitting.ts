import type { Leaf } from '../../lib/contract/reading/form/form-shape'
import { formReason, type FormDefinition } from './form-reason'
import { jsonIn, leafReason } from './leaf-reason'
import { isObject } from '../is-object'

type KnownForms = Map<string, { leaf: Leaf } | FormDefinition>

/**
 * The type that the device requires in a field of a node, as its dialog has learned it, for later checks of the node.
 * This script runs once per node type, and all its copies share this knowledge.
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

/** Why a value does not fit the type that the device requires; undefined if it fits, or if the type is unknown. */
export function unfitting(node: EditorNode, field: string, kind: string, text: string): string | undefined {
  const asked = known.get(key(node, field))
  if (!asked) return kind === 'num' ? leafReason(anyNumber, kind, text) : undefined
  if ('leaf' in asked) return leafReason(asked.leaf, kind, text)
  const value = jsonIn(text)
  return isObject(value) ? formReason(asked, value) : undefined
}
