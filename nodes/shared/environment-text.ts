import type { Node, NodeAPI } from 'node-red'
import { invalidInput } from './sentences'

/** Replaces every `${NAME}` in a text; Node-RED itself does so only if it is the whole text. */
export const environmentText = (RED: NodeAPI, node: Node, field: string, text: string): string =>
  text.includes('${')
    ? text.replace(/\$\{([^{}]*)\}/g, (_, name: string) => variable(RED, node, field, name))
    : text

/** The value of an environment variable. @throws INVALID_INPUT naming one that does not exist */
export function variable(RED: NodeAPI, node: Node, field: string, name: string): string {
  const value = RED.util.getSetting(node, name) as string | number | boolean | undefined
  if (value === undefined) throw invalidInput('unknown-variable', { field, variable: name })
  return String(value)
}
