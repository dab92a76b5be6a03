import { nodeError } from '../sentences'

/** Limits concurrent work; anything beyond the limit fails with `BUSY`. */
export function turnstile(most: number) {
  let inside = 0
  return async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    if (inside >= most) throw nodeError('BUSY', 'editor-busy', { limit: most })
    inside++
    try {
      return await work()
    } finally {
      inside--
    }
  }
}
