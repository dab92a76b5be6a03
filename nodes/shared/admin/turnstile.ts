import { nodeError } from '../sentences'

/** Lets at most so many pieces of work be under way; one more is `BUSY`. */
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
