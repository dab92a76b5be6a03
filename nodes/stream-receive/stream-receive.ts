import type { Node, NodeAPI, NodeDef } from 'node-red'
import { number } from '../shared/number'
import { onDeploy } from '../shared/on-deploy'
import { streamReceiveFields, type StreamReceiveFields } from './fields'
import { pacingOf } from './pacing-of'
import { placeOf } from './place-of'
import { receive } from './receive'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-stream-receive',
    function (this: Node, given: NodeDef & StreamReceiveFields) {
      RED.nodes.createNode(this, given)
      const fields = { ...streamReceiveFields, ...given }

      onDeploy(RED, this, fields, async (standing) => {
        const wanted = {
          stream: standing.name('stream'),
          place: placeOf(RED, this, fields),
          pacing: pacingOf(fields),
          keeps: fields.destination === 'keep',
          statistics: number('statistics', fields.statistics, 0, 3600),
        }
        // The own address towards the device may become another one.
        while (!standing.signal.aborted) await receive(this, standing, wanted)
      })
    },
  )
}
