import type { Client } from '../../lib'
import type { PipelineConfiguration, Result } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { codeOf } from '../shared/node-error'

/** A pipeline as sent to a flow. */
interface ListedPipeline {
  pipeline: string
  /** Kind of sensor that is configured; null if it runs only until the next restart. */
  kind: string | null
  /** Kind of sensor that is running; null if it starts with the next restart. */
  runs: string | null
  /** Status reported by the device; null if it is not running. */
  status: string | null
}

interface Listing {
  payload: ListedPipeline[]
  configuration: PipelineConfiguration
}

/** Not every device provides these. */
async function running(client: Client, signal: AbortSignal): Promise<Result<'listPipelines'>> {
  try {
    return await client.listPipelines({ signal })
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return {}
    throw error
  }
}

/** The configured and the running pipelines, by number. */
export async function listPipelines(
  { client }: Connection,
  configuration: PipelineConfiguration,
  signal: AbortSignal,
): Promise<Listing> {
  const active = await running(client, signal)
  const names = [...new Set([...Object.keys(configuration.config), ...Object.keys(active)])].sort()
  const payload = names.map((pipeline) => ({
    pipeline,
    kind: configuration.config[pipeline]?.type ?? null,
    runs: active[pipeline]?.type ?? null,
    status: active[pipeline]?.status ?? null,
  }))
  return { payload, configuration }
}
