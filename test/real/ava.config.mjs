/**
 * The heavier suites: `npx ava --config test/real/ava.config.mjs`, after `npx node test/real/build.ts`.
 * Stories run once more, against the real server beside the in-memory one; *.real.ts need a real process and run only here.
 */
export default {
  extensions: ['ts'],
  files: ['test/real/**/*.test.ts', 'test/stories/**/*.test.ts', 'test/**/*.real.ts'],
  nodeArguments: ['--conditions=source', '--disable-warning=ExperimentalWarning', '--import=./test/compile-cache.mjs'],
  environmentVariables: { SERVERS_UNDER_TEST: 'in-memory kube-apiserver' },
  concurrency: 1,
  serial: true,
  timeout: '10m',
  verbose: true,
};
