/**
 * The schedule explorer: lets something happen (a stop, a close, a lost connection, a deploy …) at every `await` of what is
 * under way, and has the truth looked at afterwards. It runs a sequence again and again, each time with one event at one
 * resumption of one `await`: all of them for a short sequence, otherwise the first two and the last of each place, and a seeded
 * choice of the others. Some further runs have two events, at two places drawn by seed.
 *
 * In: a sequence that can be begun afresh, its events, and what must be true afterwards. Out: the runs in which it was not.
 * Import it before everything else of the project: code loaded from then on has a step behind each `await`.
 */
import { readFileSync } from 'node:fs'
import Module from 'node:module'
import { relative, sep } from 'node:path'
import * as ts from 'typescript'
import { root } from '../support/root'

/** A place in the code that waits. */
interface Site {
  file: string
  line: number
  /** How often it has gone on in this run. */
  count: number
}

const sites: Site[] = []
/** Called whenever an `await` goes on, before the code behind it. */
let onStep: ((site: Site) => void) | undefined

/** One run of a sequence. */
export interface Run {
  /** Begins it. Resolves when it has ended, however. */
  start: () => Promise<unknown>
  /** What may happen meanwhile, by name; resolves when whoever caused it has been told that it has happened. */
  events: Readonly<Record<string, () => unknown>>
  /** Events after which nothing else can happen, because nothing is left that it could happen to. */
  last?: readonly string[]
  /** @throws what is not as it has to be after these events; none: after a run without one */
  verify: (happened: ReadonlySet<string>) => Promise<void>
  /** Ends what is left. */
  close?: () => Promise<void>
}

export interface Exploration {
  /** Folders of the sources whose `await`s are steps, such as `lib/robot-motion`. */
  within: readonly string[]
  /** A fresh run, before its start. */
  prepare: () => Promise<Run>
  /** Runs at most, besides the first; `npm test -- --long` makes all of them. @default 40 */
  most?: number
  /** Runs with two events; with `--long` twenty times as many. @default 6 */
  pairs?: number
  /** @default 35 */
  seed?: number
}

export interface Explored {
  /** Steps of a run without events, and the places at which they are. */
  steps: number
  places: number
  /** Runs with an event, and in how many of them it happened. */
  runs: number
  reached: number
  failures: string[]
}

/** Steps of a sequence in which each is tried. */
const short = 40
/** Milliseconds for a run. */
const patience = 60_000
/** Whether all schedules are run. */
export const isLong = Boolean(process.env['CELLSIGHT_LONG'])
/** Runs one schedule alone, as a failure names it: `a stop at lib/robot-motion/robot.js:120 (1)`. */
const only = process.env['CELLSIGHT_SCHEDULE']

interface Position {
  site: Site
  count: number
}

/** What is to happen, and where. */
interface Happening {
  event: string
  at: Position
}

export async function explore({
  within,
  prepare,
  most = 40,
  pairs = 6,
  seed = 35,
}: Exploration): Promise<Explored> {
  const isWithin = ({ file }: Site) => within.some((folder) => file.startsWith(folder))
  const places = new Set<Site>()
  const trail: Position[] = []
  const failures: string[] = []

  const run = async (wanted: readonly Happening[] = []) => {
    const each = await prepare()
    for (const site of sites) site.count = 0
    const left = [...wanted]
    const happened = new Set<string>()
    const happening: Promise<unknown>[] = []
    onStep = (site) => {
      if (!isWithin(site)) return
      site.count++
      if (wanted.length === 0) trail.push({ site, count: site.count })
      // The second of two may have to happen at a place that the first has already led past.
      const index = left.findIndex(({ at }) => site === at.site && site.count >= at.count)
      const [next] = index === 0 ? left.splice(0, 1) : []
      if (!next) return
      happened.add(next.event)
      happening.push((async () => void (await each.events[next.event]?.()))())
    }
    try {
      await inTime(each.start(), 'the sequence')
      await inTime(Promise.all(happening), 'the event')
      onStep = undefined
      await inTime(each.verify(happened), 'the truth')
    } catch (error) {
      failures.push(`${nameOfAll(wanted)}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      onStep = undefined
      await each.close?.()
    }
    return { events: Object.keys(each.events), last: each.last ?? [], isReached: left.length === 0 }
  }

  const { events, last } = await run()
  for (const { site } of trail) places.add(site)
  const random = seeded(seed)
  const positions = trail.length <= short ? trail : notable(trail, random)
  const singles = events.flatMap((event) => positions.map((at) => [{ event, at }]))
  const first = events.filter((event) => !last.includes(event))
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const doubles = Array.from({ length: first.length > 0 ? (isLong ? 20 : 1) * pairs : 0 }, () => {
    const [early, late] = [one(positions), one(positions)].sort((a, b) => trail.indexOf(a) - trail.indexOf(b))
    return [
      { event: one(first), at: early as Position },
      { event: one(events), at: late as Position },
    ]
  })
  const chosen =
    only === undefined
      ? [...(isLong ? singles : drawn(singles, most, random)), ...doubles]
      : [...singles, ...doubles].filter((each) => nameOfAll(each) === only)
  let reached = 0
  for (const each of chosen) if ((await run(each)).isReached) reached++
  return { steps: trail.length, places: places.size, runs: chosen.length, reached, failures }
}

/** The first two and the last time of each place, and as many of the others as places. */
function notable(trail: readonly Position[], random: () => number): Position[] {
  const last = new Map(trail.map(({ site, count }) => [site, count]))
  const [kept, others] = [trail.slice(0, 0), trail.slice(0, 0)]
  for (const at of trail) (at.count <= 2 || at.count === last.get(at.site) ? kept : others).push(at)
  return [...kept, ...drawn(others, last.size, random)]
}

/** So many of them, in their order. */
function drawn<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  const left = items.map((_, index) => index)
  while (left.length > count) left.splice(Math.floor(random() * left.length), 1)
  return left.map((index) => items[index] as Item)
}

const nameOfAll = (happenings: readonly Happening[]) =>
  happenings
    .map(({ event, at: { site, count } }) => `${event} at ${site.file}:${site.line} (${count})`)
    .join(', then ') || 'no event'

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

async function inTime<Result>(work: Result | Promise<Result>, what: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} has not ended within ${patience / 1000} s`)), patience)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What the code calls: with what was awaited, when it goes on; and before it waits, so that a failure is a step, too. */
const steps = {
  on: <Value>(index: number, value: Value): Value => {
    step(index)
    return value
  },
  wait: <Value>(index: number, value: Value): Value => {
    if (value instanceof Promise) value.then(undefined, () => step(index))
    return value
  },
}

function step(index: number): void {
  const site = sites[index]
  if (site) onStep?.(site)
}

/** The same code with a step behind each `await`. */
function withSteps(text: string, file: string): string {
  if (!text.includes('await ')) return text
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS)
  const edits: { at: number; text: string }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isAwaitExpression(node)) {
      const start = node.getStart(source)
      const index =
        sites.push({ file, line: source.getLineAndCharacterOfPosition(start).line + 1, count: 0 }) - 1
      edits.push(
        { at: start, text: `(globalThis.scheduleSteps.on(${index}, ` },
        { at: node.expression.getStart(source), text: `globalThis.scheduleSteps.wait(${index}, ` },
        { at: node.getEnd(), text: ')))' },
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  // Of those at one place, the outer begins first and ends last: they are found in the order of the text.
  const sorted = edits
    .map((edit, order) => ({ ...edit, order }))
    .sort((a, b) => a.at - b.at || a.order - b.order)
  let [result, from] = ['', 0]
  for (const { at, text: inserted } of sorted) {
    result += text.slice(from, at) + inserted
    from = at
  }
  return result + text.slice(from)
}

/** How Node.js loads a file. */
type Loader = (module: { _compile: (text: string, path: string) => void }, path: string) => void

/** Modules loaded from now on have steps; those that were loaded before are loaded again. */
function instrument(): void {
  Object.assign(globalThis, { scheduleSteps: steps })
  const isOurs = (path: string) => /^dist\/(lib|nodes)\//.test(relative(root, path).split(sep).join('/'))
  for (const path of Object.keys(require.cache))
    if (relative(root, path).startsWith('dist') && path !== __filename)
      Reflect.deleteProperty(require.cache, path)
  const { _extensions: loaders } = Module as unknown as { _extensions: Record<'.js', Loader> }
  const usual = loaders['.js']
  loaders['.js'] = (module, path) => {
    if (!isOurs(path)) {
      usual(module, path)
      return
    }
    const file = relative(root, path).split(sep).slice(1).join('/')
    module._compile(withSteps(readFileSync(path, 'utf8'), file), path)
  }
}

instrument()
