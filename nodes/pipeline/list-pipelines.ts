import type { Client } from '../../lib'
import type { PipelineConfiguration, Result } from '../../lib/contract'
import type { Connection } from '../device/connection'
import { codeOf } from '../shared/node-error'

/** A pipeline as a flow sees it. */
interface ListedPipeline {
  pipeline: string
  /** Kind of sensor that it is configured for; null where it runs until the next restart only. */
  kind: string | null
  /** Kind of sensor that it runs with now; null where it begins with the next restart. */
  runs: string | null
  /** What the device says about it now; null where it does not run. */
  status: string | null
}

interface Listing {
  payload: ListedPipeline[]
  configuration: PipelineConfiguration
}

/** Not every device shows these. */
async function running(client: Client, signal: AbortSignal): Promise<Result<'listPipelines'>> {
  try {
    return await client.listPipelines({ signal })
  } catch (error) {
    if (codeOf(error) === 'NOT_FOUND') return {}
    throw error
  }
}

/** What is configured and what runs, by the number of the pipeline. */
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
