/** The texts of the panel in the language of the editor. */
export type Translator = (key: string, values?: Record<string, string | number>) => string
