/** These take longest or keep processors busy, and mind little who else does: they go first in two runs beside one another, since others hold leases of a second. */
const busy =
  /\/(differential\/|conformance\/|clients\/kubernetes-suites\/(cmd|e2e)\.|stories\/crash-recovery\/kill\.real)/;

/**
 * The heavier suites: `npx ava --config test/system/real/ava.config.mjs`, after `npx node test/system/real/build.ts`.
 * Stories run once more, against the real server beside the in-memory one; *.real.ts need a real process and run only here.
 */
export default {
  extensions: ['ts'],
  files: ['test/system/real/**/*.test.ts', 'test/system/stories/**/*.test.ts', 'test/**/*.real.ts'],
  nodeArguments: [
    '--conditions=source',
    '--disable-warning=ExperimentalWarning',
    '--import=./test/project/suites/compile-cache.mjs',
  ],
  // Programs in Go spend a third of their CPU time less when they collect garbage less often.
  environmentVariables: { SERVERS_UNDER_TEST: 'in-memory kube-apiserver', GOGC: '400' },
  sortTestFiles: (one, other) => busy.test(other) - busy.test(one) || one.localeCompare(other),
  serial: true,
  timeout: '10m',
  verbose: true,
};
