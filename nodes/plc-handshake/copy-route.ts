import { answering, oncePerServer } from '../shared/admin'
import { loadRunning } from './load-running'

/** Makes programs and pages of the map in an open dialog: like all routes that take a form, for those who may write. */
export const copyRoute = oncePerServer(({ auth, httpAdmin }) =>
  httpAdmin.post(
    '/vision-devices/plc-copy',
    auth.needsPermission('vision.write'),
    answering((asked) => Promise.resolve().then(() => loadRunning().copyOf(asked))),
  ),
)
