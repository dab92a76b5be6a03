#!/usr/bin/env node
import { basePath } from '../../lib/contract'
import { makeArtifact } from './cli-artifact'
import { programOptions } from './cli-options'
import { packageVersion } from '../../lib/files/package-version'
import { sentence } from '../sentences'
import { portsTold } from '../side-ports/ports-told'
import { startVirtualDevice } from '../start'
import { StartError } from '../start-error'

void run(process.argv.slice(2)).catch(failed)

function failed(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(error instanceof StartError ? reason : sentence('program.failed', { reason }))
  process.exit(error instanceof StartError ? 2 : 1)
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'artifact') {
    console.log(await makeArtifact(args.slice(1)))
    return
  }
  const { help, version, ...options } = programOptions(args)
  if (help || version) {
    console.log(help ? sentence('program.help') : packageVersion())
    return
  }

  const device = await startVirtualDevice(options)
  const stop = () => void device.stop().then(() => process.exit(0), failed)
  process.once('SIGTERM', stop).once('SIGINT', stop)
  console.log(
    sentence('program.ready', {
      url: `${device.url}${basePath}`,
      variant: device.variant,
      ports: portsTold(device.ports),
      page: device.page === undefined ? '' : sentence('program.page', { page: device.page }),
    }),
  )
}
