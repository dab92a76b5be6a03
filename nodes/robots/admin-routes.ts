import { answering, oncePerServer } from '../shared/admin'
import { robotStates } from './robot-states'

/** The route by which the sidebar shows robots; it needs the permission `vision.read`. */
export const robotRoutes = oncePerServer((RED) =>
  RED.httpAdmin.get(
    '/vision-devices/robots',
    RED.auth.needsPermission('vision.read'),
    answering(() => Promise.resolve(robotStates(RED))),
  ),
)
