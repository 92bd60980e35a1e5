import test from 'ava';
import { controllersFrom } from '../../../../../sequencer/cli/args/controllers.ts';

const kubelet = { events: true, nodes: ['in-memory-node'] };

test('names are controllers that run by themselves, unless they say otherwise', (t) => {
  t.deepEqual(controllersFrom('deployment, replicaSet=step'), {
    controllers: { deployment: 'auto', replicaSet: 'step' },
  });
});

test('all of them run pods as well, but for those that are named', (t) => {
  t.deepEqual(controllersFrom('all'), { controllers: { others: 'auto' }, kubelet });
  t.deepEqual(controllersFrom('all,cronJob=off'), { controllers: { others: 'auto', cronJob: 'off' }, kubelet });
});
