import type { Scenario } from '../scenario'
import type { SidePorts } from '../side-ports/side-service'

/** The first message from the thread of a device. */
export type Started =
  | { ready: { url: string; port: number; page: string | undefined; ports: SidePorts } }
  | { failed: { code: string; message: string } }

/** A later request to the thread. */
export type WorkerRequest = { id: number } & (
  | { ask: 'scenario' }
  | { ask: 'setScenario'; part: Partial<Scenario> }
  | { ask: 'stop' }
)

/** The answer to the request with that id; a stopped device has no scenario. */
export type WorkerAnswer = { id: number; scenario?: Scenario } | { id: number; failed: string }
