import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { operationIds } from '../../lib/contract'
import { shortSummaryOf } from '../../lib/contract/summary'
import { sentencesIn } from '../../lib/kernel/sentences'
import { statusAppearances } from '../../nodes/shared/status'
import { root } from '../../test/support/root'

/** Parts of other sentences, log lines, and reports of updates. */
const isPart =
  /^(said|near-names|page-.*|reason-.*|result-.*|firmware-(step|outcome|problem)-.*|firmware-(ended|to-.*)|log-(gap-.*|held-back)|otlp-back|close-(done|failed)|plc-(answered(-silent)?|prepared?|never-prepared|meaning-.*|failed-on-the-way|dropped-.*|trigger-accepted|event-.*|virtual-(answer|command))|robot-(connected|payload-unknown|begun|reached|arrived|read|stands|reset-done)|robots-(asked|kept(-here)?|replied(-code)?|answered(-code)?|failed-on-the-way|dropped-.*|event-.*|code-.*)|port-of-.*|(no-)?free-port|part-(images|events)|nodes-(written|unknown|put-back|untouched)|metrics-.*)$/

/** With its other languages. */
interface Catalog {
  /** `nodes/backup sentences` */
  name: string
  keys: string[]
  say: (key: string, values: Record<string, unknown>, language: string) => string
  languages: string[]
  read: (language: string) => Record<string, string>
}

/** All sentences in `lib` and `nodes`, without texts of dialogs. */
const catalogs: Catalog[] = ['lib', 'nodes'].flatMap((layer) =>
  readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((path) => /locales.en-US.(sentences|reports)\.json$/.test(path))
    .map((path) => catalogOf(join(layer, path))),
)

function catalogOf(path: string): Catalog {
  const locales = dirname(dirname(path))
  const folder = dirname(locales)
  const file = basename(path, '.json')
  const read = (language: string) =>
    JSON.parse(readFileSync(join(root, locales, language, `${file}.json`), 'utf8')) as Record<string, string>
  const sentences = sentencesIn<Record<string, string>>(join(root, 'dist', folder))
  return {
    name: `${folder.split(sep).join('/')} ${file}`,
    keys: Object.keys(read('en-US')),
    say: (key, values, language) => sentences.say(key, values, language),
    languages: readdirSync(join(root, locales)),
    read,
  }
}

const filled = {
  operation: 'getParameter',
  device: 'http://device',
  said: ' It says so.',
  problem: 'Because.',
}

const placeholdersIn = (sentences: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(sentences).map(([key, text]) => [key, (text.match(/\{\{\w+\}\}/g) ?? []).sort()]),
  )

const statusTextsIn = (language: string) => {
  const file = join(root, 'nodes', 'device-config', 'locales', language, 'device-config.json')
  const texts = JSON.parse(readFileSync(file, 'utf8')) as {
    'device-config': { status: Record<string, string> }
  }
  return texts['device-config'].status
}

/** Sentences, words of a status, summaries of operations. */
export const rulesOfSentences = {
  'a sentence says what failed and what to do': () => {
    for (const { name, keys, say } of catalogs)
      for (const language of ['en-US', 'de'])
        for (const key of keys) {
          const sentence = say(key, filled, language)
          assert.doesNotMatch(sentence, /\{\{|\}\}|undefined/, `${name}, ${key}, ${language}: ${sentence}`)
          if (!isPart.test(key) && !name.endsWith(' reports'))
            assert.match(
              sentence.replace(' It says so.', ''),
              /^.+?[^.]\. .+\.$/,
              `${name}, ${key}, ${language}: ${sentence}`,
            )
        }
  },

  'sentences are the same in all languages, with the same values in them': () => {
    for (const { name, languages, read } of catalogs) {
      assert.ok(languages.includes('de'), name)
      for (const language of languages)
        assert.deepEqual(
          placeholdersIn(read(language)),
          placeholdersIn(read('en-US')),
          `${name}, ${language}: other sentences or values than in English`,
        )
    }
  },

  'a node has none of the sentences that all share': () => {
    const shared = catalogs.find(({ name }) => name === 'nodes/shared sentences')?.keys ?? []
    assert.ok(shared.length)
    for (const { name, keys } of catalogs)
      if (name.startsWith('nodes/') && !name.startsWith('nodes/shared'))
        assert.deepEqual(
          keys.filter((key) => shared.includes(key)),
          [],
          name,
        )
  },

  'a library names nothing of Node-RED': () => {
    const ofNodeRed = /Node-RED|\bflows?\b|\bdeploy|\bmsg\b|\btopic\b|settings of (the|this) node|\bNodes?\b/i
    for (const { name, keys, read } of catalogs.filter((one) => one.name.startsWith('lib/')))
      for (const language of ['en-US', 'de'])
        for (const key of keys) {
          // A device reports its own nodes.
          const text = read(language)[key]?.replace(/\b(The node|Der Knoten) \{\{node\}\}/, '') ?? ''
          assert.doesNotMatch(text, ofNodeRed, `${name}, ${key}, ${language}: ${text}`)
        }
  },

  'the words of a status are all in the locales, and at most 20 characters long': () => {
    for (const language of ['en-US', 'de']) {
      const texts = statusTextsIn(language)
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(statusAppearances).sort(), language)
      for (const [word, text] of Object.entries(texts)) {
        // Names are added.
        const shown = text.replace(/: __count__$/, '').replace('__count__', '10000')
        assert.ok(shown.length <= 20, `${language}, ${word}: ${shown}`)
      }
    }
  },

  'the short text of an operation is unique and fits into a sentence': () => {
    for (const language of ['en-US', 'de']) {
      const summaries = operationIds.map((id) => shortSummaryOf(id, language))
      assert.equal(new Set(summaries).size, summaries.length, language)
      for (const summary of summaries)
        assert.match(summary, language === 'de' ? /^[^:.;,]{5,70}$/ : /^(?=[a-z])[^:.;,]{5,70}$/)
    }
  },
}
