import type { Node, NodeAPI, NodeDef } from 'node-red'
import { fixedNames } from '../device/fixed-names'
import { onDeploy } from '../device/on-deploy'
import { withDefaults } from '../shared/fields/fields-of'
import { numberOf } from '../shared/fields/number-of'
import { streamReceiveNode, type StreamReceiveFields } from './fields'
import { pacingOf } from './pacing-of'
import { placeOf } from './place-of'
import { receive } from './receive'

export default (RED: NodeAPI) => {
  RED.nodes.registerType(
    'vision-stream-receive',
    function (this: Node, given: NodeDef & StreamReceiveFields) {
      RED.nodes.createNode(this, given)
      const fields = withDefaults(streamReceiveNode, given)

      onDeploy(
        RED,
        this,
        fields,
        async (standing) => {
          const wanted = {
            stream: standing.name('stream'),
            place: placeOf(RED, this, fields),
            pacing: pacingOf(fields),
            keeps: fields.destination === 'keep',
            statistics: numberOf(streamReceiveNode, fields, 'statistics'),
          }
          // The local address towards the device may change.
          while (!standing.signal.aborted) await receive(this, standing, wanted)
        },
        fixedNames(RED, this, streamReceiveNode, fields),
      )
    },
  )
}
