import { MessageLink } from '../../lib/plc/messages'

/** By the id of the handshake: what was last heard of a PLC outlives a deploy, which readers do not repeat it after. */
const links = new Map<string, MessageLink>()

export function linkOf(id: string): MessageLink {
  const link = links.get(id) ?? new MessageLink()
  links.set(id, link)
  return link
}

export const forgetLink = (id: string): void => void links.delete(id)
