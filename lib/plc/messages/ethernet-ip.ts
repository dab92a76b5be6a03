import { isPlain, propertiesOf, valuesOf } from './message'
import { withTypes, wordOfBits } from './preset-lines'
import type { MessageProtocol } from './protocol'
import { single } from './single'

/**
 * `node-red-contrib-cip-ethernet-ip`: each tag has an output node of its own, so each value is a message with its tag as
 * topic. The node loses a value that comes while another is on its way: the next one goes when the tag reads back.
 */
export const ethernetIp: MessageProtocol = {
  id: 'ethernet-ip',
  by: 'name',
  prefix: 'Cell_',
  // Most of these controllers have no unsigned types.
  preset: withTypes(wordOfBits, { UINT: 'DINT', UDINT: 'DINT' }),
  read: (message, wanted) => {
    const { payload } = propertiesOf(message)
    if (!isPlain(payload)) return single(message, wanted)
    const values = valuesOf(wanted, payload)
    return values.size > 0 ? { values, complete: false } : undefined
  },
  write: (items, isChanged) =>
    items
      .filter(isChanged)
      .map((item) => ({ items: [item], message: { topic: item.key, payload: item.value } })),
}
