import { answering } from '../shared/admin/answering'
import { oncePerServer } from '../shared/admin/once-per-server'
import { loadRunning } from './load-running'

/** Makes programs and pages of the map in an open dialog: like all routes that take a form, for those who may write. */
export const copyRoute = oncePerServer(({ auth, httpAdmin }) =>
  httpAdmin.post(
    '/vision-devices/plc-copy',
    auth.needsPermission('vision.write'),
    answering((asked) => Promise.resolve().then(() => loadRunning().copyOf(asked))),
  ),
)
