import { rowOf } from './row-view'

/** A problem in the tree, with the line that it concerns. */
export interface LineProblem {
  item: HTMLElement
  /** Label of the outermost line. */
  label: string
  text: string
}

/** Collects the problems of the lines in a tree, so that they can be shown in an area of their own. */
export function troublesOf(tree: JQuery) {
  const failures = new Map<HTMLElement, string>()

  /** Notes why a list could not be read, or that it could. */
  function failed([list]: JQuery, problem?: string) {
    if (list && problem !== undefined) failures.set(list, problem)
    else if (list) failures.delete(list)
  }

  /** In the order of the lines. The problem of a line explains the failures below it. */
  function troubles(): LineProblem[] {
    for (const list of failures.keys()) if (!list.isConnected) failures.delete(list)
    return tree
      .children()
      .get()
      .flatMap((item) => {
        const { label = '', problem } = rowOf(item)?.entry ?? {}
        const below = [...failures].filter(([list]) => item.contains(list) && list.checkVisibility())
        if (problem) return [{ item, label, text: problem }]
        const texts = new Set(below.map(([, text]) => text))
        return [...[...texts].map((text) => ({ item, label, text })), ...inside(item, label)]
      })
  }

  /** The problems of the visible lines in an outermost one. */
  const inside = (outer: HTMLElement, label: string) =>
    $(outer)
      .find('[role=treeitem]')
      .get()
      .flatMap((item): LineProblem[] => {
        const text = rowOf(item)?.entry.problem
        return text && item.checkVisibility() ? [{ item, label, text }] : []
      })

  return { failed, troubles }
}
