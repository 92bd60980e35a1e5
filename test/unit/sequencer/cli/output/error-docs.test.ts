import test from 'ava';
import { errorEntriesOf } from '../../../../../sequencer/cli/output/error-docs.ts';

const page = `# Errors

| code | what has happened | what to do |
|---|---|---|
| E#1001 | It broke. | See [guard.md](guard.md#a): \`a \\| b\`. |
| E#1002 | It broke again. | Fix it. |

## Examples

### E#1002

\`\`\`yaml file=a.yaml
a: [
\`\`\`

\`\`\`sh
sequencer dev a.yaml
sequencer plan a.yaml
\`\`\`

\`\`\`text
error E#1002: it broke
\`\`\`

## Something else

\`\`\`sh
not of it
\`\`\`
`;

test('each row is an entry, in plain text', (t) => {
  t.deepEqual(errorEntriesOf(page)[0], {
    code: 'E#1001',
    description: 'It broke.',
    remedy: 'See guard.md: `a | b`.',
  });
});

test('the blocks below a code are its example, up to the next heading', (t) => {
  t.is(
    errorEntriesOf(page)[1]!.example,
    '# a.yaml\na: [\n\n$ sequencer dev a.yaml\n$ sequencer plan a.yaml\n\nerror E#1002: it broke',
  );
});

test('a page without entries has none', (t) => {
  t.deepEqual(errorEntriesOf('# Errors\n'), []);
});
