import sentences from './locales/en-US.json'

export type SentenceKey = keyof typeof sentences

/** The sentence with this key, with its `{{placeholders}}` filled in. */
export const sentence = (key: SentenceKey, values: Readonly<Record<string, unknown>> = {}): string =>
  sentences[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))
