import { answering, languageOf } from '../shared/admin/answering'
import { oncePerServer } from '../shared/admin/once-per-server'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from './fields'
import { loadProcedure } from './load-procedure'
import { nodeError } from './sentences'
import type { Session } from './session'
import type { Node } from 'node-red'

/** A node with its calibration, as far as there is one. */
export interface CalibratingNode extends Node {
  calibration: { fields: HandEyeCalibrationFields; session: Session | undefined }
}

/** What the dialog shows of a deployed node: the calibration under way. Asks the device nothing. */
export const panelRoute = oncePerServer((RED) =>
  RED.httpAdmin.get(
    '/vision-devices/hand-eye/:calibration',
    RED.auth.needsPermission('vision.read'),
    answering(async (asked) => {
      await Promise.resolve()
      const { request } = asked
      const node = RED.nodes.getNode(request.params['calibration'] ?? '') as
        CalibratingNode | null | undefined
      if (node?.type !== `vision-${handEyeCalibrationNode.type}`)
        throw nodeError('NOT_FOUND', 'hand-eye-not-deployed')
      const { fields, session } = node.calibration
      const { snapshotOf, setupOf, Session: Empty } = loadProcedure()
      const theme = new URL(request.url, 'http://editor').searchParams.get('theme')
      return snapshotOf(session ?? new Empty(), setupOf(fields), {
        theme: theme === 'dark' ? 'dark' : 'light',
        language: languageOf(request),
      })
    }),
  ),
)
