import type { Node, NodeAPI, NodeDef } from 'node-red'
import { onInput } from '../device/on-input'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { named, NodeAnswer, summarizeValues } from '../shared/outcome'
import { readLogNode, type ReadLogFields } from './fields'

const levels: readonly string[] = readLogNode.fields.level.choices

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-read-log', function (this: Node, given: NodeDef & ReadLogFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, readLogNode, given)
    if (!fields) return

    onInput(
      RED,
      this,
      readLogNode,
      fields,
      async ({ device, name, signal }) => {
        const log = name('log')
        const limit = numberOf(readLogNode, fields, 'entries')
        const answer = await device.client.getLog({ log, limit, format: 'json' }, { signal })
        const entries = answer.log.filter(
          ({ level }) => levels.indexOf(level) >= levels.indexOf(fields.level),
        )
        return new NodeAnswer(
          { log, [fields.property]: entries },
          summarizeValues([named(log, entries.length)], entries.length),
        )
      },
      { reads: true },
    )
  })
}
