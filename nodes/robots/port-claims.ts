import type { Node } from 'node-red'
import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('robots')

/** The ports of this Node-RED that robots connect to, by the configuration that opened them. */
const claims = new Map<Node, number>()

/** @returns releases the port @throws INVALID_INPUT naming both, if another configuration has it */
export function claimPort(node: Node, port: number): () => void {
  const [other] = [...claims].find(([{ id }, taken]) => id !== node.id && port !== 0 && taken === port) ?? []
  if (other) throw invalidInput('robots-same-port', { one: nameOf(node), other: nameOf(other), port })
  claims.set(node, port)
  return () => claims.delete(node)
}

const nameOf = ({ name, id }: Node) => name || id
