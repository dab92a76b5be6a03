import type { NodeAPI } from 'node-red'
import { packageVersion } from '../../../lib/files/package-version'
import { inSlices } from '../../../lib/kernel/timers'
import { deployedDevices } from '../deployed-device'
import { deviceReport } from './device-report'
import { jsonTextSteps, type JsonText } from '../../shared/admin'
import { knownSecrets } from './known-secrets'
import { usesOf } from './uses'
import { withoutSecrets } from './without-secrets'

/** Everything that helps to find a fault remotely, without any secrets. Only reads. */
export async function diagnostics(RED: NodeAPI, signal: AbortSignal): Promise<JsonText> {
  const version = packageVersion()
  const devices = await Promise.all(
    [...deployedDevices(RED)].map(async ([id, node]) => ({
      ...(await deviceReport(node, signal)),
      uses: usesOf(RED, id),
    })),
  )
  const told = {
    made: new Date().toISOString(),
    versions: {
      package: version,
      nodeRed: (RED.settings as { version?: string }).version,
      node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
    },
    devices,
  }
  return inSlices(jsonTextSteps(await inSlices(withoutSecrets(told, knownSecrets(RED)))))
}
