import type { Node, NodeAPI, NodeMessage } from 'node-red'
import { environmentText, variable } from './environment-text'
import type { FieldKind } from './field-kind'
import { formReader } from './form-reader'
import { detailOf } from './node-error'
import { switched } from './number'
import type { PreparedField } from './prepared-field'
import { invalidInput } from './sentences'
import { shown } from './shown'

/** A hand-written flow may contain more than text. */
type RawFieldValue = string | number | boolean | null | undefined

type Read = (msg: NodeMessage) => unknown

/** Prepares a field once for all messages; an invalid setting fails when it is read. */
export function fieldReader(
  RED: NodeAPI,
  node: Node,
  field: string,
  kind: FieldKind,
  raw: RawFieldValue,
): PreparedField {
  const text = String(raw ?? '')
  switch (kind) {
    case 'flow':
    case 'global':
      return { ahead: true, read: (msg) => evaluated(RED, node, field, kind, text, msg) }
    case 'jsonata':
      return { ahead: true, read: jsonata(RED, node, field, text) }
    case 'msg':
      return { ahead: false, read: messageProperty(RED, field, text) }
    case 'form':
      return formReader(field, text, (inside, itsKind, its) => fieldReader(RED, node, inside, itsKind, its))
    default:
      return { ahead: false, read: constant(() => constants[kind](RED, node, field, text)) }
  }
}

const constants: Record<
  'str' | 'num' | 'bool' | 'json' | 'env',
  (RED: NodeAPI, node: Node, field: string, text: string) => unknown
> = {
  str: environmentText,
  num: (_RED, _node, field, text) => {
    const number = text.trim() === '' ? NaN : Number(text)
    if (Number.isNaN(number)) throw invalidInput('not-a-number', { field, value: text })
    return number
  },
  bool: (_RED, _node, field, text) => {
    const value = switched(text)
    if (value === undefined) throw invalidInput('setting-switch', { field, value: shown(text) })
    return value
  },
  json: (_RED, _node, field, text) => {
    try {
      return JSON.parse(text) as unknown
    } catch (cause) {
      throw invalidInput('not-json', { field }, cause)
    }
  },
  env: (RED, node, field, text) =>
    text.includes('${') ? environmentText(RED, node, field, text) : variable(RED, node, field, text),
}

function constant(evaluate: () => unknown): Read {
  try {
    const value = evaluate()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function messageProperty(RED: NodeAPI, field: string, path: string): Read {
  if (/^\w+$/.test(path)) return (msg) => msg[path]
  return (msg) => {
    try {
      return RED.util.getMessageProperty(msg, path) as unknown
    } catch (cause) {
      throw invalidInput('bad-property', { field, property: path }, cause)
    }
  }
}

const evaluated = (
  RED: NodeAPI,
  node: Node,
  field: string,
  kind: 'flow' | 'global',
  path: string,
  msg: NodeMessage,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const failed = (cause: unknown) => reject(invalidInput('bad-property', { field, property: path }, cause))
    try {
      RED.util.evaluateNodeProperty(path, kind, node, msg, (error, value) =>
        error ? failed(error) : resolve(value),
      )
    } catch (cause) {
      failed(cause)
    }
  })

function jsonata(
  RED: NodeAPI,
  node: Node,
  field: string,
  text: string,
): (msg: NodeMessage) => Promise<unknown> {
  const failure = (cause: unknown) =>
    invalidInput('bad-expression', { field, detail: detailOf(cause) }, cause)
  try {
    const expression = RED.util.prepareJSONataExpression(text, node)
    return (msg) =>
      new Promise((resolve, reject) =>
        RED.util.evaluateJSONataExpression(expression, msg, (error, value) =>
          error ? reject(failure(error)) : resolve(value),
        ),
      )
  } catch (cause) {
    return () => Promise.reject(failure(cause))
  }
}
