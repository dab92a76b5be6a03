import type { Node, NodeAPI } from 'node-red'
import { lookOf, statusText, type StatusWord } from './status-word'

/** A status in parts: the same whatever the language. */
export interface StatusParts {
  word: StatusWord
  /** A number or names in it. */
  count?: string | number
  /** Duration and time of what the word is about. */
  after?: string
}

/** What editors are told besides the status itself. */
export interface PublishedStatus extends StatusParts {
  /** As Node-RED publishes it. */
  text: string
}

/** Node-RED publishes texts alone; by these parts an editor in another language than Node-RED's shows its own words. */
const topicOf = ({ id }: Node) => `vision-status/${id}`

/** Shows a status in the language of Node-RED. Status nodes find its parts as `msg.status.vision`. */
export function showStatus(RED: NodeAPI, node: Node, parts: StatusParts): void {
  const { word, count, after } = parts
  const text = [statusText(RED, word, count), after].filter(Boolean).join(' ')
  node.status({ ...lookOf(word), text, vision: parts } as Parameters<Node['status']>[0])
  RED.comms.publish(topicOf(node), { ...parts, text } satisfies PublishedStatus, true)
}

/** The parts of a node that is closed are not shown to editors that are opened later. */
export const forgetStatus = (RED: NodeAPI, node: Node): void => RED.comms.publish(topicOf(node), {}, false)
