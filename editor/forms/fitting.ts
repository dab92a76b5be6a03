import type { Parameter } from '../../lib/contract'
import {
  type FormShape,
  type Group,
  type Leaf,
  referenceIn,
} from '../../lib/contract/reading/form/form-shape'
import { isObject, sharedText } from '../dialog'
import { anyValue, fixedKinds, kindName, kindOf, type Names, parameterShape, pathTo, textOf } from './context'
import { inputOf, jsonIn, leafReason, referenceReason } from './leaf'

type KnownForms = Map<string, { leaf: Leaf } | FormDefinition>

/** Required types that dialogs have learned, for later checks. All copies of this script (one per node type) share them. */
const shared = globalThis as { visionFitting?: KnownForms }
const known: KnownForms = (shared.visionFitting ??= new Map() as KnownForms)

const anyNumber: Leaf = { is: 'leaf', type: 'number', required: true }

const key = (node: EditorNode, field: string) => `${node.id} ${field}`

export function learn(
  node: EditorNode,
  field: string,
  expected: { leaf: Leaf } | FormDefinition | undefined,
): void {
  if (expected) known.set(key(node, field), expected)
  else known.delete(key(node, field))
}

/** Undefined if it fits or the type is unknown. */
export function unfitting(node: EditorNode, field: string, kind: string, text: string): string | undefined {
  const expected = known.get(key(node, field))
  if (!expected) return kind === 'num' ? leafReason(anyNumber, kind, text) : undefined
  if ('leaf' in expected) return leafReason(expected.leaf, kind, text)
  const value = jsonIn(text)
  return isObject(value) ? formReason(expected, value) : undefined
}

interface FormDefinition {
  shape: Group
  names?: Names | undefined
}

/** With the path; undefined if valid. */
function formReason(
  { shape, names }: FormDefinition,
  value: Readonly<Record<string, unknown>>,
): string | undefined {
  const others = Object.fromEntries(
    Object.keys(value)
      .filter((name) => !Object.hasOwn(shape.fields, name))
      .map((name) => [name, names?.shapeOf(name) ?? anyValue]),
  )
  return partReason({ ...shape, fields: { ...shape.fields, ...others } }, value, '')
}

function partReason(shape: FormShape, value: unknown, path: string): string | undefined {
  const at = (reason: string | undefined) => (reason === undefined ? undefined : `${path}: ${reason}`)
  if (value === undefined) return shape.required && path ? at(sharedText('reason.required')) : undefined
  const from = referenceIn(value)
  if (from) return at(referenceReason(from.kind, from.text))
  if (shape.is === 'leaf') {
    // An empty list item.
    if (value === null && shape.type !== 'any' && shape.type !== 'json')
      return at(sharedText('reason.required'))
    const { kind, text } = inputOf(value, kindName(fixedKinds(shape, '')[0] ?? 'str'))
    return at(leafReason(shape, kind, text))
  }
  if (shape.is === 'list')
    return Array.isArray(value)
      ? first(
          (value as unknown[]).map((item, index) =>
            partReason(shape.of, item, pathTo(path, true, String(index))),
          ),
        )
      : at(sharedText('reason.otherType', { expected: sharedText('form.items') }))
  if (!isObject(value)) return at(sharedText('reason.otherType', { expected: sharedText('form.parts') }))
  return first(
    Object.entries(shape.fields).map(([name, of]) => partReason(of, value[name], pathTo(path, false, name))),
  )
}

const first = (reasons: (string | undefined)[]) => reasons.find((reason) => reason !== undefined)

/** An untouched value may follow other fields. */
interface Follower {
  /** Still initial, or set by `follow`. */
  isUntouched: () => boolean
  /** From the message, as in a new node. */
  reset: () => void
  /** The present value of a boolean or choice; others stay from the message. */
  follow: (record: Parameter | undefined) => void
}

/** @param isNew a stored value is never untouched */
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
