import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { leftOut, wanted } from './e2e-specs.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/cluster/clients.md'), 'utf8');

const isWanted = (spec: string): boolean => new RegExp(wanted.join('|')).test(spec);
const isLeftOut = (spec: string): boolean => leftOut.some(({ specs }) => new RegExp(specs).test(spec));

test('what is left out of Kubernetes’ own tests is reported, with the reason', (t) => {
  for (const { why } of leftOut) t.true(page.includes(`| ${why} |`), `docs/cluster/clients.md does not say: ${why}`);
});

test('a spec is chosen by its SIG and its subject, not by chance', (t) => {
  const chosen = [
    '[sig-api-machinery] ResourceQuota should create a ResourceQuota and capture the life of a pod. [Conformance]',
    '[sig-apps] ReplicationController should adopt matching pods on creation [Conformance]',
    '[sig-scheduling] LimitRange should list, patch and delete a LimitRange by collection [Conformance]',
  ];
  t.deepEqual(
    chosen.filter((spec) => isWanted(spec) && !isLeftOut(spec)),
    chosen,
  );
  t.false(isWanted('[sig-node] Probing container should be restarted with a exec "cat /tmp/health" liveness probe'));
  t.true(isLeftOut('[sig-api-machinery] AdmissionWebhook should honor timeout [Conformance]'));
});
