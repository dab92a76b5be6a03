import type { Node, NodeAPI } from 'node-red'
import { holds } from '../../../lib/contract/reading/values'
import { asSentence } from '../as-sentence'
import type { FieldKind } from '../field-kind'
import { handleInput } from '../handle-input'
import { number, switched } from '../number'
import { invalidInput } from '../sentences'
import { shown } from '../shown'
import { statusLineOf } from '../status-line'
import { whenStarted } from '../when-started'
import type { ChoiceField, Field, NodeDescription } from './description'
import { defaultsOf, type FieldsOf } from './fields-of'

/*
 * In: the settings of a node as a flow, a subflow, an environment variable or a person with a text editor left them. Out: the
 * settings with the types of their description, or one INVALID_INPUT that names field, value and what is expected.
 */

/**
 * The fields of a node that is being deployed. With a setting that cannot be used, the node does nothing: it tells the error
 * once the flows have started, shows it in its status, and fails each message with it.
 * @returns undefined if the node must not begin
 */
export function checkedFields<Description extends NodeDescription, Given extends object>(
  RED: NodeAPI,
  node: Node,
  description: Description,
  given: Given,
): (FieldsOf<Description> & Given) | undefined {
  const { fields, problem } = readFields(description, given)
  if (!problem) return fields
  const status = statusLineOf(RED, node)
  tellProblem(RED, node, problem, () => status.left(problem))
  if ('inputs' in description && description.inputs > 0)
    handleInput(RED, node, { inputs: 1, changes: false }, { atOnce: 1, room: Infinity }, () =>
      Promise.reject(problem),
    )
  node.on('close', () => status.close())
  return undefined
}

/**
 * The fields of a configuration node that is being deployed, which other nodes use. With a setting that cannot be used, it
 * tells the error once the flows have started, has the default instead (a permission is off), and `check` throws the error
 * to whoever asks for the settings.
 */
export function configFields<Description extends NodeDescription, Given extends object>(
  RED: NodeAPI,
  node: Node,
  description: Description,
  given: Given,
): { fields: FieldsOf<Description> & Given; check: () => void } {
  const { fields, problem } = readFields(description, given)
  if (problem) tellProblem(RED, node, problem)
  return {
    fields,
    check: () => {
      if (problem) throw problem
    },
  }
}

function tellProblem(RED: NodeAPI, node: Node, problem: Error, show?: () => void): void {
  const takeBack = whenStarted(RED, () => {
    show?.()
    node.error(problem, {})
  })
  node.on('close', takeBack)
}

/**
 * The fields of a node, with defaults for those that an older flow lacks.
 * @throws INVALID_INPUT naming the first field whose value cannot be used
 */
export function withDefaults<Description extends NodeDescription, Given extends object>(
  description: Description,
  given: Given,
): FieldsOf<Description> & Given {
  const { fields, problem } = readFields(description, given)
  if (problem) throw problem
  return fields
}

/** What cannot be used gets its default; that is a problem only where the field applies. */
function readFields<Description extends NodeDescription, Given extends object>(
  description: Description,
  given: Given,
): { fields: FieldsOf<Description> & Given; problem?: Error } {
  const defaults = defaultsOf(description) as Readonly<Record<string, unknown>>
  const fields: Record<string, unknown> = { ...defaults, ...given }
  const value = (name: string): string => {
    const raw = fields[name]
    return written(description.fields[name]?.kind === 'switch' ? switched(raw) : raw)
  }
  let problem: Error | undefined
  for (const [name, field] of Object.entries<Field>(description.fields)) {
    if (field.kind === 'credential' || field.kind === 'button') continue
    try {
      fields[name] = usable(name, field, fields[name])
      if (field.kind === 'typed') fields[`${name}Type`] = kindOf(name, fields[`${name}Type`])
    } catch (error) {
      const applies = !('when' in field) || field.when === undefined || holds(field.when, value)
      if (applies) problem ??= asSentence(error)
      fields[name] = defaults[name]
      if (field.kind === 'typed') fields[`${name}Type`] = defaults[`${name}Type`]
    }
  }
  return { fields: fields as FieldsOf<Description> & Given, ...(problem && { problem }) }
}

/** @throws INVALID_INPUT */
function usable(
  name: string,
  field: Exclude<Field, { kind: 'credential' | 'button' }>,
  given: unknown,
): unknown {
  switch (field.kind) {
    case 'switch': {
      const value = switched(mustBeSet(name, given))
      if (value === undefined) throw invalidInput('setting-switch', { field: name, value: shown(given) })
      return value
    }
    case 'number':
      if (given === '' && (field.optional || field.default === '')) return given
      number(name, mustBeSet(name, given), field.least, field.most, field.zero)
      return given
    case 'choice':
      return choice(name, field, mustBeSet(name, given))
    case 'typed':
      return typeof given === 'boolean' ? String(given) : text(name, given)
    // What a text must look like, its node checks, in words of its own.
    default:
      return text(name, given)
  }
}

function choice(name: string, { choices }: ChoiceField, given: unknown): string {
  const value = typeof given === 'object' ? undefined : written(given).trim()
  const found = choices.find((each) => each === value)
  if (found !== undefined) return found
  const named = choices.map((each) => (each === '' ? '""' : each)).join(', ')
  throw invalidInput('setting-choice', { field: name, choices: named, value: shown(given) })
}

/** A value as text; empty for what is none. */
const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** A number is the text that it is written as. */
function text(name: string, given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given === 'number' && Number.isFinite(given)) return String(given)
  throw invalidInput('setting-text', { field: name, value: shown(given) })
}

const kinds: readonly FieldKind[] = [
  ...(['str', 'num', 'bool', 'json', 'form', 'msg', 'flow', 'global', 'jsonata', 'env'] as const),
]

function kindOf(name: string, given: unknown): FieldKind {
  const kind = kinds.find((each) => each === given)
  if (kind) return kind
  throw invalidInput('setting-choice', {
    field: `${name}Type`,
    choices: kinds.join(', '),
    value: shown(given),
  })
}

/** Node-RED leaves the reference to an environment variable that does not exist. @throws INVALID_INPUT naming it */
function mustBeSet(field: string, given: unknown): unknown {
  const [, variable] = typeof given === 'string' ? (/^\s*\$\{([^{}]*)\}\s*$/.exec(given) ?? []) : []
  if (variable !== undefined) throw invalidInput('setting-unset', { field, variable })
  return given
}
