import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../../../../../sdk/api/kind.ts';
import { Workspace } from '../../../../../sdk/api/workspace.ts';
import { ensureCrds } from '../../../../../sdk/client/crds/ensure-crds.ts';
import { createClient } from '../../../../../sdk/client/http/create-client.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { until } from '../../../../system/real/until.ts';
import { subjectOf } from '../real-subject.ts';

const name = 'workspaces.se.quencer.io';

test('kube-apiserver: a definition is created, served when that resolves, and kept the next time', async (t) => {
  const { client } = await subjectOf(t);
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '1.0.0' }), [{ name, outcome: 'created' }]);
  t.deepEqual((await client.list(Workspace)).items, []);
  t.deepEqual(await ensureCrds(client, [Workspace], { release: '1.0.0' }), [{ name, outcome: 'kept' }]);
});

test('kube-apiserver: names that another definition has are an error with the server’s words', async (t) => {
  const { client } = await subjectOf(t);
  await ensureCrds(client, [Workspace]);
  const wanted = await Workspace.crd?.();
  if (wanted === undefined) return t.fail();
  const { group } = wanted.spec;
  const names = { plural: 'others', kind: 'Workspace' };
  const other = { ...wanted, metadata: { name: `others.${group}` }, spec: { ...wanted.spec, names } };
  const taking = ensureCrds(client, [{ ...Workspace, plural: 'others', crd: async () => other }]);
  const error = await t.throwsAsync(taking, { instanceOf: UserError, message: / is already in use/ });
  t.is(error.code, 'E#1012');
});

test('kube-apiserver: without rights the error says which verb is missing', async (t) => {
  const { server } = await subjectOf(t);
  const credentials = { headers: { authorization: `Bearer ${server.restrictedToken}` }, tls: { ca: server.ca } };
  const restricted = createClient({ connection: { server: server.url, credentials: () => credentials } });
  t.teardown(() => restricted.close());
  const error = await t.throwsAsync(ensureCrds(restricted, [Workspace]), { instanceOf: UserError });
  t.is(error.code, 'E#1011');
  t.regex(error.message, /^missing right: get on customresourcedefinitions/);
});

test('kube-apiserver: an earlier definition that may not even be read is refused by what OpenAPI says of it, and the current one is not', async (t) => {
  const { server, client } = await subjectOf(t);
  const file = join(import.meta.dirname, '../../../../system/upgrade/releases/0.1.0-dev.1.yaml');
  const earlier = async () => parse(readFileSync(file, 'utf8')) as CustomResourceDefinition;
  await ensureCrds(client, [{ ...Workspace, crd: earlier }], { release: '0.1.0' });
  const credentials = { headers: { authorization: `Bearer ${server.restrictedToken}` }, tls: { ca: server.ca } };
  const restricted = createClient({ connection: { server: server.url, credentials: () => credentials } });
  t.teardown(() => restricted.close());
  /** OpenAPI documents lag behind definitions by a moment. */
  const answered = (pattern: RegExp) => {
    let last = '';
    const ask = async () => {
      const [outcome] = await ensureCrds(restricted, [Workspace]).catch((error: UserError) => [error.message]);
      last = typeof outcome === 'string' ? outcome : `${outcome?.outcome}: ${outcome?.notice}`;
      return pattern.test(last) ? last : undefined;
    };
    return until(ask, { message: () => last });
  };
  const refused = await answered(/does not keep what this release writes/);
  t.regex(refused, /status\.guards\.\*\.phase is refused when it is "none"; status\.guards\.\*\.began is dropped/);
  await ensureCrds(client, [Workspace], { release: '0.2.0' });
  t.is(await answered(/^kept/), 'kept: undefined', 'a definition that keeps all needs no notice');
});
