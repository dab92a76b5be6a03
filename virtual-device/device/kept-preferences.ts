import { Refusal } from '../refusal'
import type { RunningModule } from './running-module'

/** What modules store besides their parameters, by the services that get and set it. */
const kinds = ['preferred_orientation', 'sorting_strategies'] as const
type Preferences = Partial<Record<(typeof kinds)[number], Record<string, unknown>>>

/** The preferred orientation and the sorting strategies of a node, if it has them. */
export function preferencesOf(node: RunningModule): Preferences {
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const answer = Object.entries(node.callFromInside(`get_${kind}`) ?? {})
      const kept = Object.fromEntries(answer.filter(([field]) => field !== 'return_code'))
      return answer.length ? [[kind, kept]] : []
    }),
  )
}

/** @throws Refusal for what the node does not have or accept */
export function restorePreferences(node: RunningModule, given: Preferences): void {
  for (const kind of kinds) {
    const kept = given[kind]
    if (!kept) continue
    const { return_code } = node.call(`set_${kind}`, kept).response
    const { value, message } = return_code as { value: number; message: string }
    if (value < 0) throw new Refusal(400, `${kind}: ${message}`)
  }
}
