import test from 'ava';
import fc from 'fast-check';
import {
  conditional,
  type TemplateNode,
  templateLines,
} from '../../../../../sequencer/cli/manifests/conditional-text.ts';

const same = (on: TemplateNode, off: TemplateNode): boolean => JSON.stringify(on) === JSON.stringify(off);
const chosen = (nodes: readonly TemplateNode[], isOn: (condition: string) => boolean): readonly string[] =>
  nodes.flatMap((node) =>
    typeof node === 'string' ? [node] : chosen(isOn(node.condition) ? node.on : node.off, isOn),
  );

test('lines that differ are in a condition, the others once', (t) => {
  const nodes = conditional('.a', { on: ['x', 'y', 'z'], off: ['x', 'w', 'z', 'v'] }, same);
  t.deepEqual(templateLines(nodes), [
    'x',
    '{{- if .a }}',
    'y',
    '{{- else }}',
    'w',
    '{{- end }}',
    'z',
    '{{- if not .a }}',
    'v',
    '{{- end }}',
  ]);
});

const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });

test('each choice of conditions gives its own text back', (t) => {
  fc.assert(
    fc.property(fc.tuple(lines, lines, lines, lines), ([both, a, b, none]) => {
      const withA = conditional('b', { on: both, off: a }, same);
      const withoutA = conditional('b', { on: b, off: none }, same);
      const nodes = conditional('a', { on: withA, off: withoutA }, same);
      for (const [conditions, wanted] of [
        ['ab', both],
        ['a', a],
        ['b', b],
        ['', none],
      ] as const)
        t.deepEqual(
          chosen(nodes, (condition) => conditions.includes(condition)),
          wanted,
        );
    }),
    { numRuns: 100 },
  );
});
