import { readdirSync } from 'node:fs'
import { join, parse } from 'node:path'
import { folderZones } from './scripts/folder-circles.mjs'
import { layerZones } from './scripts/layers.mjs'
import { typeRules } from './scripts/type-rules.mjs'

const bareTimers = ['setTimeout', 'setInterval']
const boundedTimers = 'Use lib/kernel/timers: a time over 24.8 days becomes a timer of 1 ms.'

/** An expression for what stands beside a folder or one of those around it, as lint's expressions know no exceptions. */
const beside = (folder) =>
  folder
    .split('/')
    .slice(1)
    .flatMap((name, depth) => {
      const around = folder.split('/').slice(0, depth + 1)
      const others = readdirSync(join(import.meta.dirname, ...around)).filter((other) => other !== name)
      const names = others.map((other) => parse(other).name)
      return [`${around.join('/')}$`, ...names.map((other) => `${around.join('/')}/${other}(/|$)`)]
    })
    .join('|')

export default {
  categories: { correctness: 'off' },
  plugins: ['typescript'],
  // `import-x` is the name of rules of its own.
  jsPlugins: [
    { name: 'paths', specifier: 'eslint-plugin-import-x' },
    'eslint-plugin-regexp',
    './scripts/lint-rules.mjs',
  ],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  settings: { 'import-x/resolver': { node: { extensions: ['.ts', '.js', '.json'] } } },
  // docs/new-node/ imports what is there where it is copied to.
  ignorePatterns: ['dist/', 'resources/', 'node_modules/', '.cellsight/', 'docs/new-node/'],
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...typeRules,
        'paths/no-restricted-paths': [
          'error',
          { zones: [...layerZones(import.meta.dirname), ...folderZones(import.meta.dirname)] },
        ],
        'paths/no-unresolved': 'error',
        'no-console': 'error',
      },
    },
    {
      files: ['{lib,nodes,virtual-device,editor}/**/*.ts'],
      rules: {
        // Logs, answers and messages are foreign: one long word must not stop the event loop.
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
      },
    },
    {
      files: ['{lib,nodes,virtual-device}/**/*.ts'],
      excludeFiles: ['lib/contract/**', 'lib/kernel/timers.ts', 'lib/typebox/**'],
      rules: {
        'no-restricted-globals': ['error', ...bareTimers.map((name) => ({ name, message: boundedTimers }))],
        'no-restricted-imports': [
          'error',
          {
            paths: ['timers', 'node:timers', 'timers/promises', 'node:timers/promises'].map((name) => ({
              name,
              importNames: bareTimers,
              message: boundedTimers,
            })),
            patterns: [{ group: ['@sinclair/**'], message: 'lib/typebox loads it from one file.' }],
          },
        ],
        'no-restricted-properties': [
          'error',
          { object: 'AbortSignal', property: 'timeout', message: boundedTimers },
          ...bareTimers.map((property) => ({ object: 'globalThis', property, message: boundedTimers })),
        ],
      },
    },
    {
      files: ['{lib,nodes,virtual-device,editor}/**/*.ts'],
      rules: {
        // Each promise has an owner, and each failure a receiver.
        'typescript/no-floating-promises': ['error', { ignoreVoid: false }],
        'own/empty-catch': 'error',
      },
    },
    {
      files: ['{lib,nodes,virtual-device}/**/*.ts'],
      // A user's expression for logs, which runs with a limit of time.
      excludeFiles: ['lib/logs/follow-options.ts'],
      rules: { 'own/literal-expressions': 'error' },
    },
    {
      files: ['lib/contract/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['*', '!.', '!..', '!./**', '!../**'],
                message: 'The contract imports no package but the schema library, by lib/typebox.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['editor/**/*.ts'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                // What both sides must read alike is small and pure, and bundled.
                regex: `^(\\.\\./)+(nodes/|${beside('lib/contract/reading')})`,
                allowTypeImports: true,
                message: 'The editor takes types alone, and code of lib/contract/reading.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['virtual-device/program/cli.ts', 'bench/**/*.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['test/**/*.ts'],
      rules: { 'typescript/no-unused-expressions': 'off' },
    },
  ],
}
