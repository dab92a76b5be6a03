import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import RED from 'node-red'

/** Node-RED in this process, without editor and HTTP, with our nodes and those of the benches. @param more settings */
export async function embeddedNodeRed(
  flow: readonly object[],
  more: object = {},
): Promise<{ stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'vision-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Usually ended by whoever measures.
  process.once('SIGTERM', () => process.exit())
  writeFileSync(join(folder, 'flows.json'), JSON.stringify(flow))
  const dist = join(__dirname, '..', '..')
  // Installed as a package: nodes without catalogues take far longer for a status.
  const scope = join(folder, 'node_modules', '@cellsight')
  mkdirSync(scope, { recursive: true })
  symlinkSync(join(dist, '..'), join(scope, 'node-red-vision'), 'dir')
  const settings = {
    userDir: folder,
    flowFile: 'flows.json',
    httpAdminRoot: false,
    httpNodeRoot: false,
    nodesDir: [join(dist, 'bench', 'flow-nodes')],
    logging: { console: { level: 'fatal', metrics: false, audit: false } },
    diagnostics: { enabled: false },
    telemetry: { enabled: false },
    ...more,
  }
  RED.init(createServer(), settings as unknown as Parameters<typeof RED.init>[1])
  const started = new Promise((resolve) => RED.events.once('flows:started', resolve))
  await RED.start()
  await started
  return {
    stop: async () => {
      await RED.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
