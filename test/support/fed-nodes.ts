import { messageNodes, type MessageNode } from './message-nodes'
import { works } from './works'

const asFed = ({ node, fields, message, variant }: (typeof works)[string]): MessageNode => ({
  node,
  ...(fields && { fields }),
  ...(message && { message: () => structuredClone(message) }),
  ...(variant && { variant }),
  part: 0.05,
})

/** All actions on messages, by node id; frequent ones often. */
export const fedNodes: Readonly<Record<string, MessageNode>> = {
  ...messageNodes,
  // Actions that require other messages first would always be refused.
  ...Object.fromEntries(
    Object.entries(works)
      .filter(([, { before }]) => !before)
      .map(([id, work]) => [id, asFed(work)]),
  ),
  'own-device': {
    node: 'virtual-device',
    fields: { port: 0 },
    message: (_id, index) =>
      [{ topic: 'stop' }, { topic: 'start' }, { payload: { ntp_synchronized: true } }][index % 3] ?? {},
    part: 0.05,
  },
  // These restart their device.
  restart: { node: 'system', fields: { action: 'reboot', confirmed: true }, variant: 'spare', part: 0.001 },
  update: {
    node: 'firmware-update',
    fields: { confirmed: true },
    message: (_id, index) => ({ payload: index }),
    variant: 'spare',
    part: 0.001,
  },
}
