import { rowOf } from './row-view'

/** A problem in the tree, with the outermost line that it concerns. */
export interface LineProblem {
  item: HTMLElement
  /** Label of the line. */
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
        const texts = problem ? [problem] : below.map(([, text]) => text)
        return [...new Set(texts)].map((text) => ({ item, label, text }))
      })
  }

  return { failed, troubles }
}
