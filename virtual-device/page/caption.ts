import { steepness } from '../cell/hindrance'
import type { PipelineView } from '../images/pipeline-view'
import type { Say } from './sentences'

/** What stands before a camera, in words. */
export function caption({ seen }: PipelineView, say: Say): string {
  if (!seen) return ''
  if ('scene' in seen) {
    const { bin, items } = seen.scene
    const count = items.length
    return bin ? say('seen.carrier', { count }) : say('seen.floor', { count })
  }
  const { grid, hindrance } = seen.cell
  if (hindrance) return say(`seen.grid.${hindrance.kind}`)
  const { metres, degrees } = steepness(grid)
  return say('seen.grid', { distance: (1000 * metres).toFixed(0), degrees: degrees.toFixed(0) })
}
