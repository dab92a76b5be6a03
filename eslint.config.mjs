import importX, { createNodeResolver } from 'eslint-plugin-import-x'
import tseslint from 'typescript-eslint'
import { layerZones } from './scripts/layers.mjs'

export default tseslint.config(
  { ignores: ['dist/', 'resources/', 'node_modules/', '.cellsight/'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ['**/*.ts'] })),
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.json', './editor/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })] },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones: layerZones(import.meta.dirname) }],
      'import-x/no-unresolved': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-console': 'error',
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
