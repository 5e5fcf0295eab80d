import js from '@eslint/js';

/** What no file of the widget may do: markup from strings, code from strings. */
const unsafe = [
  ...['innerHTML', 'outerHTML', 'srcdoc'].map((name) => ({
    selector: `AssignmentExpression > MemberExpression.left[property.name='${name}']`,
    message: `${name} makes markup from a string: use el() and textContent.`,
  })),
  ...['insertAdjacentHTML', 'setHTMLUnsafe', 'createContextualFragment', 'parseFromString'].map((name) => ({
    selector: `CallExpression[callee.property.name='${name}']`,
    message: `${name} makes markup from a string: use el() and textContent.`,
  })),
  {
    selector: "CallExpression[callee.object.name='document'][callee.property.name=/^write(ln)?$/]",
    message: 'document.write makes markup from a string: use el() and textContent.',
  },
];

/** What the twins may not use: operations whose last bit differs between engines. */
const inexact = [
  {
    selector: "MemberExpression[object.name='Math'][property.name=/^(a?(cos|sin|tan)h?|atan2|cbrt|exp|expm1|fround|hypot|log|log10|log1p|log2|pow|random|round)$/]",
    message: 'Engines differ in this: the twins use + - * / comparisons, floor and sqrt only.',
  },
  { selector: "BinaryExpression[operator='**']", message: 'Engines differ in **: write x * x.' },
  { selector: "AssignmentExpression[operator='**=']", message: 'Engines differ in **: write x * x.' },
  {
    selector: 'MemberExpression[property.name=/^(toFixed|toPrecision|toExponential|toLocaleString|localeCompare)$/]',
    message: "Differs from Python's text: use the formatter in words.js.",
  },
];

const worldly = [
  'Date', 'Intl', 'XMLHttpRequest', 'clearTimeout', 'crypto', 'document', 'fetch', 'localStorage', 'location',
  'navigator', 'performance', 'queueMicrotask', 'requestAnimationFrame', 'self', 'sessionStorage', 'setInterval',
  'setTimeout', 'window',
];

const node = { Buffer: false, TextDecoder: false, URL: false, console: false, globalThis: false, performance: false, process: false, structuredClone: false };

export default [
  { ignores: ['.venv/**', '.venv-serve/**', 'build/**', 'coverage/**', 'dist/**', 'node_modules/**', 'release/**', 'sim/poolroom/static/**', 'test-results/**'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, sourceType: 'module', globals: node },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      camelcase: 'off',
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // tsc knows the browser's names; eslint would need a list of them.
    files: ['widget/**/*.js', 'site/**/*.js', 'tests/**/*.js'],
    rules: { 'no-undef': 'off' },
  },
  {
    files: ['widget/**/*.js', 'site/*.js', 'site/embed/*.js', 'site/proof/*.js', 'site/serve/*.js', 'site/watch/*.js', 'site/plan/**/*.js'],
    rules: {
      'no-console': 'error',
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true, defaultFrom: true, namedFrom: true, namespaceFrom: true } }],
      'no-restricted-syntax': ['error', ...unsafe],
    },
  },
  {
    // anywidget asks for a default export.
    files: ['widget/anywidget.js'],
    rules: { 'no-restricted-exports': 'off' },
  },
  {
    files: ['widget/sim/**/*.js'],
    languageOptions: { globals: { console: 'off', process: 'off' } },
    rules: {
      'no-undef': 'error',
      'no-restricted-globals': ['error', ...worldly.map((name) => ({ name, message: 'The twins know no clock, page, storage or network.' }))],
      'no-restricted-syntax': ['error', ...unsafe, ...inexact],
    },
  },
];
