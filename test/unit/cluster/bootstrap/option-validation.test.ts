import test from 'ava';
import { checkClusterOptions } from '../../../cluster/bootstrap/option-validation.ts';

for (const [options, message] of [
  [null, 'createCluster: options must be an object; found null'],
  [[], 'createCluster: options must be an object; found []'],
  [{ kublet: true }, /^createCluster: kublet is not an option; known are clock, .*; did you mean kubelet\?$/],
  [{ kubelet: { readyDely: 1 } }, /kubelet\.readyDely is not an option; .*; did you mean kubelet\.readyDelay\?$/],
  [{ kubelet: { readyDelay: '1' } }, 'createCluster: kubelet.readyDelay must be a number of ms from 0; found "1"'],
  [{ kubelet: { nodes: 'a' } }, 'createCluster: kubelet.nodes must be an array of names; found "a"'],
  [
    { kubelet: { taskDelay: true } },
    'createCluster: kubelet.taskDelay must be a number of ms from 0, or false; found true',
  ],
  [{ kubelet: 'no' }, /kubelet must be true, false or an object { pendingDelay, .* }; found "no"$/],
  [{ namespaceController: { delay: -1 } }, /namespaceController\.delay must be a number of ms from 0; found -1$/],
  [{ historyLimit: '5' }, 'createCluster: historyLimit must be a whole number from 0; found "5"'],
  [{ bookmarkInterval: 0 }, 'createCluster: bookmarkInterval must be a number of ms above 0; found 0'],
  [{ rbac: 'yes' }, 'createCluster: rbac must be true or false; found "yes"'],
  [{ adminToken: 5 }, 'createCluster: adminToken must be a text; found no text'],
  [{ tokens: { hidden: 'me' } }, 'createCluster: each of tokens must be a user { name, groups }; found "me"'],
  [
    { webhooks: { 'https://a': 1 } },
    'createCluster: webhooks["https://a"] must be a function (review) => answer; found 1',
  ],
  [{ conversionWebhooks: [] }, 'createCluster: conversionWebhooks must be an object of functions by URL; found []'],
  [{ version: 1.34 }, 'createCluster: version must be a text such as "1.34"; found 1.34'],
  [{ serviceRange: 5 }, 'createCluster: serviceRange must be a text such as "10.96.0.0/16"; found 5'],
  [{ issuer: 5 }, 'createCluster: issuer must be a text; found 5'],
  [
    { clock: Date },
    /^createCluster: clock must be a clock, with now, monotonic, sleep, after; found \[Function: Date\]$/,
  ],
  [{ random: 0.5 }, 'createCluster: random must be a function () => number from 0 to 1; found 0.5'],
  [{ controllers: { deploymnet: 'auto' } }, /^there is no controller "deploymnet"; .*; did you mean deployment\?$/],
  [{ controllers: { deployment: 'atuo' } }, 'controllers.deployment is "atuo"; it must be auto, step or off'],
] as const)
  test(`options are refused: ${message}`, (t) => {
    t.throws(() => checkClusterOptions(options as never), { instanceOf: TypeError, message });
  });

test('right options pass, also where they are undefined', (t) => {
  const kubelet = { pendingDelay: 0, taskDelay: false, nodes: ['a'] } as const;
  t.notThrows(() => checkClusterOptions({ kubelet, tokens: { a: { name: 'me', groups: [] } }, issuer: undefined! }));
});
