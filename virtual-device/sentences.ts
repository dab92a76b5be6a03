import sentences from './locales/en-US.json'

export type SentenceKey = keyof typeof sentences

/** The sentence of that key with its `{{placeholders}}` filled. */
export const sentence = (key: SentenceKey, values: Readonly<Record<string, unknown>> = {}): string =>
  sentences[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
