import importX, { createNodeResolver } from 'eslint-plugin-import-x'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'
import { folderZones } from './scripts/folder-circles.mjs'
import { layerZones } from './scripts/layers.mjs'

const bareTimers = ['setTimeout', 'setInterval']
const boundedTimers = 'Use lib/timers: a time over 24.8 days becomes a timer of 1 ms.'

export default tseslint.config(
  // docs/new-node/ imports what is there where it is copied to.
  { ignores: ['dist/', 'resources/', 'node_modules/', '.cellsight/', 'docs/new-node/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './editor/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX, regexp },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })] },
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        { zones: [...layerZones(import.meta.dirname), ...folderZones(import.meta.dirname)] },
      ],
      'import-x/no-unresolved': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
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
    ignores: ['lib/contract/**', 'lib/timers/**'],
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
    files: ['{lib,nodes,virtual-device}/**/*.ts'],
    // A user's expression for logs, which runs with a limit of time.
    ignores: ['lib/logs/filter.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
          message: 'Write expressions as literals, so that their cost is checked.',
        },
      ],
    },
  },
  {
    files: ['lib/contract/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(?!\\.|@sinclair/typebox)', message: 'The contract imports the schema library only.' },
          ],
        },
      ],
    },
  },
  {
    files: ['editor/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              // What both sides must read alike is small and pure, and bundled.
              regex: '^(\\.\\./)+(lib(?!/contract/reading/)|nodes)/',
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
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
)
