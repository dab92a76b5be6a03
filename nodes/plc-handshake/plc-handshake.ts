/**
 * The config node of a handshake, its dialog with the register map, and the routes for its live panel. In: saved fields.
 * Out: one `DeployedHandshake`.
 */
import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { DeployedHandshake } from '../plc/deployed-handshake'
import { metricsRoute } from '../metrics/route'
import { setLanguage, currentLanguage } from '../shared/node-error'
import { configFields } from '../shared/fields/checked-fields'
import { copyRoute, loadRunning, panelRoutes, testRoute } from './routes'
import { plcHandshakeNode, type PlcHandshakeFields } from './fields'
import { sentencesOf } from '../sentences'
import { loadMetrics } from '../metrics/load-metrics'

const { say } = sentencesOf('plc')

type PlcHandshakeNode = Node & { handshake: DeployedHandshake }

export default (RED: NodeAPI) => {
  setLanguage(RED)
  copyRoute(RED)
  testRoute(RED)
  panelRoutes(RED)
  metricsRoute(RED)

  RED.nodes.registerType<PlcHandshakeNode, NodeDef & PlcHandshakeFields, object, object>(
    'vision-plc-handshake',
    function (given) {
      RED.nodes.createNode(this, given)
      const { fields, check } = configFields(RED, this, plcHandshakeNode, given)
      const { forgetLink, openJournal, messageLinkOf, protocolOf, settingsOf, ...parts } = loadRunning()
      const { group, end } = loadMetrics().measured(RED, 'handshake', this)
      this.handshake = new parts.DeployedHandshake({
        metrics: group,
        RED,
        node: this,
        settings: () => {
          check()
          return settingsOf(RED, this, fields, this.handshake.messages)
        },
        messages: messageLinkOf(this.id),
        usesMessages: protocolOf(fields.connection) !== undefined,
        openJournal: () =>
          openJournal(join(RED.settings.userDir ?? '.', 'vision-plc'), this.id, {
            failed: (error) =>
              this.warn(
                error.code === 'DAMAGED'
                  ? error.inLanguage(currentLanguage())
                  : say('plc-no-journal', { reason: error.because(currentLanguage()) }),
              ),
          }),
      })
      this.on('close', (removed: boolean, done: (error?: Error) => void) => {
        if (removed) forgetLink(this.id)
        this.handshake
          .close()
          .finally(end)
          .then(() => done(), done)
      })
    },
  )
}
