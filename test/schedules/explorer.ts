/**
 * The schedule explorer: lets something happen (a stop, a close, a lost connection, a deploy …) at every `await` of what is
 * under way, and has the truth looked at afterwards. It runs a sequence again and again, each time with one event at one
 * resumption of one `await`: all of them for a short sequence, otherwise the first two and the last of each place, and a seeded
 * choice of the others.
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
  /** @throws what is not as it has to be after this event; undefined: after a run without one */
  verify: (event: string | undefined) => Promise<void>
  /** Ends what is left. */
  close?: () => Promise<void>
}

export interface Exploration {
  /** Folders of the sources whose `await`s are steps, such as `lib/robot-motion`. */
  within: readonly string[]
  /** A fresh run, before its start. */
  prepare: () => Promise<Run>
  /** Runs at most, besides the first; `test:long` makes all of them. @default 40 */
  most?: number
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
const isLong = Boolean(process.env['CELLSIGHT_LONG'])
/** Runs one schedule alone, as a failure names it: `stop at lib/robot-motion/robot.js:120 (1)`. */
const only = process.env['CELLSIGHT_SCHEDULE']

export async function explore({ within, prepare, most = 40, seed = 35 }: Exploration): Promise<Explored> {
  const isWithin = ({ file }: Site) => within.some((folder) => file.startsWith(folder))
  const places = new Set<Site>()
  const trail: { site: Site; count: number }[] = []
  const failures: string[] = []

  const run = async (
    event?: string,
    at?: { site: Site; count: number },
  ): Promise<{ events: string[]; happened: boolean }> => {
    const each = await prepare()
    for (const site of sites) site.count = 0
    const happening: { done?: Promise<unknown> } = {}
    onStep = (site) => {
      if (!isWithin(site)) return
      site.count++
      if (!at) trail.push({ site, count: site.count })
      else if (event !== undefined && !happening.done && site === at.site && site.count === at.count)
        happening.done = (async () => void (await each.events[event]?.()))()
    }
    const name = event === undefined ? 'no event' : `${event} at ${at ? nameOf(at) : ''}`
    try {
      await inTime(each.start(), 'the sequence')
      await inTime(happening.done, 'the event')
      onStep = undefined
      await inTime(each.verify(happening.done ? event : undefined), 'the truth')
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      onStep = undefined
      await each.close?.()
    }
    return { events: Object.keys(each.events), happened: happening.done !== undefined }
  }

  const { events } = await run()
  for (const { site } of trail) places.add(site)
  const random = seeded(seed)
  const positions = trail.length <= short ? trail : notable(trail, random)
  const all = events.flatMap((event) => positions.map((at) => ({ event, at })))
  const wanted =
    only === undefined ? undefined : all.filter(({ event, at }) => `${event} at ${nameOf(at)}` === only)
  const chosen = wanted ?? (isLong ? all : drawn(all, most, random))
  let reached = 0
  for (const { event, at } of chosen) if ((await run(event, at)).happened) reached++
  return { steps: trail.length, places: places.size, runs: chosen.length, reached, failures }
}

/** The first two and the last time of each place, and as many of the others as places. */
function notable(trail: readonly { site: Site; count: number }[], random: () => number) {
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

const nameOf = ({ site, count }: { site: Site; count: number }) => `${site.file}:${site.line} (${count})`

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
