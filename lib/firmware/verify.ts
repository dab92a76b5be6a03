import type { DeviceLook } from './look'
import type { Run } from './run'
import { ailingNodes, changesBetween, takeSnapshot, type AilingNode, type Change } from './snapshot'
import { firmwareSentences, type FirmwareSentence } from './firmware-error'

export interface Health {
  /** As sentences; empty if there are none. */
  problems: string[]
  changes: Change[]
}

/**
 * Checks whether the device works as before, on that version: ready, no fallback, the nodes of all pipelines, the
 * parameters. Gives it time to start.
 */
export async function verify(run: Run, version: string): Promise<Health> {
  const { timing, entry } = run
  run.teller.at('verify')
  const { look, met } = await run.lookUntil(({ ready }) => ready, timing.boot)
  if (!met) return { problems: [said(run, 'firmware-not-ready')], changes: [] }
  run.teller.at('verify', 0.3)
  const wrong = imageProblems(run, look, version)
  const nodes = await settled(run)
  const now = await takeSnapshot(run.client, run.ask, 'parameters')
  const changes = entry.before ? changesBetween(entry.before, now) : []
  const changed = changes.length > 0 && entry.onChanged === 'unhealthy'
  return {
    problems: [
      ...wrong,
      ...nodes.map((node) => said(run, 'firmware-problem-node', { ...node })),
      ...(changed ? [said(run, 'firmware-problem-parameters', { count: changes.length })] : []),
    ],
    changes,
  }
}

function imageProblems(run: Run, look: DeviceLook, version: string): string[] {
  const { active, fallback } = look
  if (active !== version) return [said(run, 'firmware-problem-version', { active, version })]
  return fallback ? [said(run, 'firmware-problem-fallback', { active })] : []
}

/** Nodes that still do not work when their time is over. */
async function settled(run: Run): Promise<AilingNode[]> {
  const { before } = run.entry
  const end = performance.now() + 1000 * run.timing.settle
  for (;;) {
    const nodes = before ? ailingNodes(before, await takeSnapshot(run.client, run.ask, 'states')) : []
    if (nodes.length === 0 || performance.now() >= end) return nodes
    await run.pause()
  }
}

const said = (run: Run, key: FirmwareSentence, values: Record<string, unknown> = {}) =>
  firmwareSentences.say(key, { device: run.client.name, ...values }, run.language)
