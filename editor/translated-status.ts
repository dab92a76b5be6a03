import type { PublishedStatus } from '../nodes/shared/show-status'
import { sharedText } from './shared-text'

/** The parts of the newest status of each node. Shared by all dialogs, each of which runs this script. */
const shared = globalThis as { visionStatuses?: Map<string, Partial<PublishedStatus>> }

/** Shows the statuses of our nodes in the editor's language if Node-RED runs in another one. */
export function translatedStatus(): void {
  if (shared.visionStatuses) return
  const statuses = (shared.visionStatuses = new Map<string, Partial<PublishedStatus>>())
  // Text and parts arrive one after the other, and the editor itself shows the text first.
  const soon = (id: string) => setTimeout(() => translate(id, statuses.get(id)))

  RED.comms.subscribe('vision-status/#', (topic: string, parts: Partial<PublishedStatus>) => {
    statuses.set(idIn(topic), parts)
    soon(idIn(topic))
  })
  RED.comms.subscribe('status/#', (topic: string) => soon(idIn(topic)))
  RED.events.on('flows:loaded', () => [...statuses.keys()].forEach(soon))
}

const idIn = (topic: string) => topic.split('/')[1] ?? ''

function translate(
  id: string,
  { text, word, count = '', after, remark }: Partial<PublishedStatus> = {},
): void {
  const node: ShownNode | null = RED.nodes.node(id)
  if (!word || !node?.status || node.status.text !== text) return
  const key = `status.${word}`
  const words = [sharedText(key, { count }), after].filter(Boolean).join(' ')
  const own = remark ? `${words} · ${sharedText(`status.${remark.word}`, { count: remark.count })}` : words
  if (own === text || own.includes(key)) return
  node.status = { ...node.status, text: own }
  node.dirtyStatus = node.dirty = true
  RED.view.redrawStatus(node)
}

/** A node as drawn in the workspace. */
interface ShownNode {
  status?: { text?: string }
  dirtyStatus?: boolean
  dirty?: boolean
}
