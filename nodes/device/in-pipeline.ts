import type { Target } from './known-nodes'
import { invalidInput } from './sentences'

/** The target of an operation that global nodes lack: they have no parameters. */
export function inPipeline(target: Target): { pipeline: string; node: string } {
  if (target.scope === 'pipeline') return { pipeline: target.pipeline, node: target.node }
  throw invalidInput('no-parameters', { node: target.node })
}
