import type { Node, NodeAPI } from 'node-red'
import { lookOf, statusText, type StatusWord } from './status-word'

/** A status in parts that do not depend on the language. */
export interface StatusParts {
  word: StatusWord
  /** A number or names within the word. */
  count?: string | number
  /** Duration and time of what the word describes. */
  after?: string
  /** A further remark at the end: `2 missed`. */
  remark?: StatusRemark
}

export interface StatusRemark {
  word: StatusWord
  count: number
}

/** A status as published to editors. */
export interface PublishedStatus extends StatusParts {
  /** The text published by Node-RED. */
  text: string
}

/** Node-RED publishes texts only; with these parts an editor in another language can show its own words. */
const topicOf = ({ id }: Node) => `vision-status/${id}`

/** Shows a status in Node-RED's language. Status nodes find its parts in `msg.status.vision`. */
export function showStatus(RED: NodeAPI, node: Node, parts: StatusParts): void {
  const { word, count, after, remark } = parts
  const own = [statusText(RED, word, count), after].filter(Boolean).join(' ')
  const text = remark ? `${own} · ${statusText(RED, remark.word, remark.count)}` : own
  node.status({ ...lookOf(word), text, vision: parts } as Parameters<Node['status']>[0])
  RED.comms.publish(topicOf(node), { ...parts, text } satisfies PublishedStatus, true)
}

/** Removes the parts of a closed node, so that they are not shown to editors opened later. */
export const forgetStatus = (RED: NodeAPI, node: Node): void => RED.comms.publish(topicOf(node), {}, false)
