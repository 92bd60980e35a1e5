import test from 'ava';
import type { Client } from '../../../../../sdk/client/client.ts';
import { mistakeInWork, workOptions } from '../../../../../sdk/operator/engine/work-options.ts';

const client = {} as Client;

test('nothing is wrong with options that are left out, or at their limits', (t) => {
  t.is(mistakeInWork({ client }), undefined);
  t.is(mistakeInWork({ client, workers: 1, deadline: 1, drain: 0 }), undefined);
});

test('says which option makes no sense, what was expected and what was found', (t) => {
  t.is(mistakeInWork({ client, workers: 1.5 }), 'workers must be a whole number of at least 1, found 1.5');
  t.is(mistakeInWork({ client, deadline: 0 }), 'deadline must be more than 0 ms, found 0');
  t.is(mistakeInWork({ client, drain: Number.NaN }), 'drain must be 0 ms or more, found NaN');
});

test('names every option once', (t) => {
  t.is(new Set(workOptions).size, workOptions.length);
});
