import type { Tag } from './scene'
import { uuid } from './uuid'

/** The tags seen recently, so that a tag is recognised again. */
export function knownTags(random: () => number) {
  let known = new Map<Tag, { instance: string; unseen: number }>()

  return {
    /**
     * The instances of the tags seen now.
     * @param patience detections after which an unseen tag is forgotten
     */
    seen: (tags: readonly Tag[], patience: number): string[] => {
      for (const each of known.values()) each.unseen += 1
      for (const tag of tags)
        known.set(tag, { instance: known.get(tag)?.instance ?? uuid(random), unseen: 0 })
      known = new Map([...known].filter(([, { unseen }]) => unseen < patience))
      return tags.map((tag) => known.get(tag)?.instance ?? '')
    },
    forget: () => known.clear(),
  }
}
