import test from 'ava';
import { ModuleGraph } from '../../../../../sequencer/cli/reload/module-graph.ts';

/** config → acme → api, config → stand-in */
function aGraph(): ModuleGraph {
  const graph = new ModuleGraph('/config');
  graph.imports('/config', '/acme');
  graph.imports('/acme', '/api');
  graph.imports('/config', '/stand-in');
  return graph;
}
const versions = (graph: ModuleGraph) => ['/config', '/acme', '/api', '/stand-in'].map((path) => graph.versionOf(path));

test('a changed module is new, and so is all that imports it; the others stay', (t) => {
  const graph = aGraph();
  t.true(graph.change(['/api']));
  t.deepEqual(versions(graph), [1, 1, 1, 0]);
  t.true(graph.change(['/config']));
  t.deepEqual(versions(graph), [2, 1, 1, 0]);
  t.is(graph.rootVersion, 2);
});

test('several changes at once are one version', (t) => {
  const graph = aGraph();
  graph.change(['/api', '/acme', '/stand-in']);
  t.deepEqual(versions(graph), [1, 1, 1, 1]);
});

test('what is not a module of the config changes nothing', (t) => {
  const graph = aGraph();
  t.false(graph.change(['/other']));
  t.false(graph.has('/other'));
  t.deepEqual(versions(graph), [0, 0, 0, 0]);
  t.deepEqual(graph.files, new Set(['/config', '/acme', '/api', '/stand-in']));
});

test('modules that import each other are visited once', (t) => {
  const graph = aGraph();
  graph.imports('/api', '/acme');
  graph.change(['/acme']);
  t.deepEqual(versions(graph), [1, 1, 1, 0]);
});
