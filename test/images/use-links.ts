import { isVisionError, images, type VisionError } from '../../lib'

/** Links that are closed after each test. */
export function useLinks() {
  const links: { close: () => Promise<void> }[] = []
  afterEach(() => Promise.all(links.splice(0).map((link) => link.close())))
  const kept = <Link extends { close: () => Promise<void> }>(link: Link): Link => {
    links.push(link)
    return link
  }
  const defaults = { host: '127.0.0.1', device: 'cell 1', random: () => 0 }

  return {
    /** A link for images that does not reconnect and takes every set. */
    images: (options: Partial<images.ImageStreamOptions> & { port: number }) =>
      kept(
        images.openImages({
          ...defaults,
          ...{ wanted: { left: true, disparity: true }, reconnects: false, newestOnly: false },
          ...options,
        }),
      ),
    events: (options: Partial<images.ImageLinkOptions> & { port: number }) =>
      kept(images.openImageEvents({ ...defaults, reconnects: false, ...options })),
  }
}

/** The next item. */
export async function nextOf<Item>(link: images.ImageLink<Item>): Promise<Item> {
  const { done, value } = await link.next()
  if (done) throw new Error('The link has ended.')
  return value
}

/** The error that something ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<VisionError> {
  try {
    await promise
  } catch (error) {
    if (isVisionError(error)) return error
    throw error
  }
  throw new Error('It did not fail.')
}

/** Reads to the end. */
export async function allOf<Item>(
  link: images.ImageLink<Item>,
): Promise<{ items: Item[]; error?: VisionError }> {
  const items: Item[] = []
  try {
    for await (const item of link) items.push(item)
    return { items }
  } catch (error) {
    if (!isVisionError(error)) throw error
    return { items, error }
  }
}
