import type { Scenario } from '../scenario'

/** What the thread of a device says first. */
export type Started = { ready: { url: string; port: number } } | { failed: { code: string; message: string } }

/** What it is asked later. */
export type WorkerRequest = { id: number } & (
  { ask: 'scenario' } | { ask: 'setScenario'; part: Partial<Scenario> } | { ask: 'stop' }
)

/** Its answer to the request of that id; a stopped device has no scenario. */
export type WorkerAnswer = { id: number; scenario?: Scenario } | { id: number; failed: string }
