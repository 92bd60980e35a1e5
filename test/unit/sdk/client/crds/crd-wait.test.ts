import test from 'ava';
import type { CustomResourceDefinition } from '../../../../../sdk/api/kind.ts';
import { establishStateOf, untilEstablished } from '../../../../../sdk/client/crds/crd-wait.ts';
import { UserError } from '../../../../../sdk/errors.ts';
import { createManualClock } from '../../../../cluster/apimachinery/clock/manual-clock.ts';
import { answer, failure, setUp } from '../scripted-server.ts';

const condition = (type: string, status: string, message?: string) => ({ type, status, ...(message && { message }) });
const definition = (...conditions: ReturnType<typeof condition>[]): CustomResourceDefinition => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'as.example.com', resourceVersion: '5' },
  spec: { group: 'example.com', scope: 'Namespaced', names: { plural: 'as', kind: 'A' }, versions: [] },
  status: { conditions },
});
const accepted = condition('NamesAccepted', 'True');
const established = definition(accepted, condition('Established', 'True'));
const line = (type: string, object: object) => `${JSON.stringify({ type, object })}\n`;

test('a definition is established when its condition says so', (t) => {
  t.deepEqual(establishStateOf(established), { type: 'established' });
  t.is(establishStateOf(definition()).type, 'wait');
  t.deepEqual(establishStateOf(definition(accepted, condition('Established', 'False', 'installing'))), {
    type: 'wait',
    why: 'installing',
  });
});

test('names that are taken are an error with the server’s words', (t) => {
  const taken = definition(condition('NamesAccepted', 'False', '"as" is already in use'));
  const error = t.throws(() => establishStateOf(taken), { instanceOf: UserError, message: /"as" is already in use/ });
  t.is(error.code, 'E#1012');
});

test('waiting continues over a watch that is too old and one that ends', async (t) => {
  const { server, client } = await setUp(t, ({ path }, response, nth) => {
    if (!path.includes('watch=true')) return answer(response, 200, definition(accepted));
    if (nth === 1) return response.end(line('ERROR', failure(410, 'Expired')));
    return response.end(nth === 2 ? line('MODIFIED', definition(accepted)) : line('MODIFIED', established));
  });
  const clock = createManualClock();
  const waiting = untilEstablished({ client, clock, signal: new AbortController().signal }, definition());
  while (server.arrivals.length < 2) {
    await clock.advance(0);
    if (clock.pending > 0) await clock.advance(500);
  }
  await waiting;
  t.is(server.arrivals.filter(({ path }) => path.includes('watch=true')).length, 3);
  t.regex(server.arrivals[0]?.path ?? '', /resourceVersion=5&fieldSelector=metadata\.name%3Das\.example\.com/);
});

test('a definition that is deleted meanwhile is waited for no longer', async (t) => {
  const { client } = await setUp(t, (_, response) => response.end(line('DELETED', definition())));
  const options = { client, clock: createManualClock(), signal: new AbortController().signal };
  const error = await t.throwsAsync(untilEstablished(options, definition()), { instanceOf: UserError });
  t.is(error.code, 'E#1014');
});
