import type { RobotsSnapshot } from '../robots/deployed-robots'
import { grouped, type StatusLine, took } from '../shared/status'

/** Robots, requests and the last answer: `2 robots · 1,204 · code 0 · 43 ms`. */
export function showRobots(status: StatusLine, { port, robots, counts }: RobotsSnapshot): void {
  if (port === undefined) return
  const [last] = robots
    .flatMap(({ last: each }) => (each ? [each] : []))
    .sort((one, other) => other.at.getTime() - one.at.getTime())
  const after = [
    counts.requests > 0 ? `· ${grouped(counts.requests)}` : '',
    last?.code === undefined ? '' : `· ${String(last.code)} · ${took(last.milliseconds ?? 0)}`,
  ].filter(Boolean)
  const isBusy = robots.some(({ last: each }) => each && each.code === undefined)
  status.left(undefined)
  status.background(
    robots.length === 0 ? 'robotsNone' : isBusy ? 'robotsBusy' : 'robotsReady',
    robots.length,
    {
      ...(after.length > 0 && { after: after.join(' ') }),
    },
  )
}
