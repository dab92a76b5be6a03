import { createRequire } from 'node:module'
import type { Node } from 'node-red'
import type * as Procedure from './procedure'
import type { DeployedRobot } from '../robot-motion/deployed-robot'
import { type AdminCall, answering, jsonBody, languageOf, oncePerServer } from '../shared/admin'
import type { Driving } from './drive/driving'
import type { DriveJournal } from './drive/settings'
import type { DriveSnapshotState, PanelOrder } from './drive/panel'
import { handEyeCalibrationNode, type HandEyeCalibrationFields } from './fields'
import type { Session } from './session'
import type { CalibrationSnapshot } from './coverage'
import { sentencesOf } from '../sentences'

/** On the first message: with its linear algebra it is larger than all other nodes together. */
export const loadProcedure = (): typeof Procedure =>
  createRequire(__filename)('./procedure') as typeof Procedure

const { nodeError } = sentencesOf('hand-eye-calibration')

export interface PanelDrive {
  driving: Driving
  deployed: DeployedRobot | undefined
  journal: () => DriveJournal
  order: (order: PanelOrder, request: string | undefined) => void
}

export interface CalibratingNode extends Node {
  calibration: {
    fields: HandEyeCalibrationFields
    session: Session | undefined
    drive: PanelDrive | undefined
  }
}

/** Reading sends nothing to the device. */
export const panelRoutes = oncePerServer((RED) => {
  const { httpAdmin, auth } = RED
  const required = ({ request }: AdminCall): CalibratingNode['calibration'] => {
    const id = request.params['calibration'] ?? ''
    const node = RED.nodes.getNode(id) as CalibratingNode | null | undefined
    if (node?.type !== `vision-${handEyeCalibrationNode.type}`)
      throw nodeError('NOT_FOUND', 'hand-eye-not-deployed')
    return node.calibration
  }

  httpAdmin.get(
    '/vision-devices/hand-eye/:calibration',
    auth.needsPermission('vision.read'),
    answering(async (call): Promise<CalibrationSnapshot> => {
      const { request } = call
      const { fields, session, drive } = required(call)
      const { snapshotOf, setupOf, driveSnapshotOf, Session: Empty } = loadProcedure()
      const theme = new URL(request.url, 'http://editor').searchParams.get('theme')
      const options = { theme: theme === 'dark' ? 'dark' : 'light', language: languageOf(request) } as const
      return {
        ...snapshotOf(session ?? new Empty(), setupOf(fields), options),
        ...(drive && { drive: await driveSnapshotOf(stateOf(fields, session, drive), options) }),
      }
    }),
  )
  httpAdmin.post(
    '/vision-devices/hand-eye/:calibration/order',
    auth.needsPermission('vision.write'),
    answering(async (call) => {
      // A page of another site must not move a robot: it cannot send this type without a preflight request.
      const { order, request } = jsonBody(call.request)
      const { fields, session, drive } = required(call)
      const possible = drive ? await loadProcedure().ordersOf(stateOf(fields, session, drive)) : []
      const allowed = possible.find((each) => each === order)
      if (!drive || !allowed) throw nodeError('REFUSED', 'hand-eye-order-refused')
      const isAnswer = allowed === 'confirm' || allowed === 'decline' || allowed === 'skip'
      if (isAnswer) drive.driving.question.mustTake(request)
      drive.order(allowed, isAnswer ? String(request) : undefined)
      return { order: allowed }
    }),
  )
})

export const stateOf = (
  fields: HandEyeCalibrationFields,
  session: Session | undefined,
  { driving, deployed, journal }: PanelDrive,
): DriveSnapshotState => ({
  ...{ fields, driving, deployed, journal: journal(), hasResult: session?.result !== undefined },
})
